import { ShopPage, type ShopPageProps } from "../page/ShopPage.tsx";
import { Button } from "../widgets/button/Button.tsx";
import { type Worlds, WorldTiles } from "./WorldTiles.tsx";

export interface DemoPageProps extends ShopPageProps {
  /** Says that this isn't a real shop. */
  label: string;
  /** What the links that lead here call the page. */
  heading: string;
  paragraphs: string[];
  link: { url: string; text: string };
  worlds: Worlds;
}

/** Stands in the demo shop for a page that a real shop has: says what stands there, and leads back. */
export function DemoPage({ label, heading, paragraphs, link, worlds, ...page }: DemoPageProps) {
  return (
    <ShopPage {...page}>
      <section className="sf-message">
        <p className="sf-message-label">{label}</p>
        <h1>{heading}</h1>
        {paragraphs.map((text) => (
          <p key={text}>{text}</p>
        ))}
        <Button href={link.url}>{link.text}</Button>
      </section>
      <WorldTiles {...worlds} />
    </ShopPage>
  );
}
