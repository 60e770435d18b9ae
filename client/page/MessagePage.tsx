import { Button } from "../widgets/button/Button.tsx";
import { ShopPage, type ShopPageProps } from "./ShopPage.tsx";

export interface MessagePageProps extends Omit<ShopPageProps, "description"> {
  heading: string;
  text: string;
  link: { url: string; text: string };
}

/** A page that only says something, for example that there is no such page. */
export function MessagePage({ heading, text, link, ...page }: MessagePageProps) {
  return (
    <ShopPage {...page} description={text}>
      <section className="sf-message">
        <h1>{heading}</h1>
        <p>{text}</p>
        <Button href={link.url}>{link.text}</Button>
      </section>
    </ShopPage>
  );
}
