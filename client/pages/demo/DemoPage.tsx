import { Icon, type IconName } from "../../icons/Icon.tsx";
import { Button } from "../../widgets/button/Button.tsx";
import { ShopPage, type ShopPageProps } from "../ShopPage.tsx";

interface DemoPageProps extends ShopPageProps {
  /** A note that this isn't a real shop. */
  label: string;
  /** The page's name, taken from the links to it. */
  heading: string;
  paragraphs: string[];
  link: { url: string; text: string };
  worlds: Worlds;
}

/** A placeholder in the demo shop for a page of a real shop. Says what that page would hold, and links back. */
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

interface HomePageProps extends ShopPageProps {
  hero: { heading: string; text: string; link: { url: string; text: string }; image: string };
  worlds: Worlds;
  promises: { heading: string; items: { icon: IconName; heading: string; text: string }[] };
}

/** A demo home page, composed of fragments as an edge proxy would do it. */
export function HomePage({ hero, worlds, promises, ...page }: HomePageProps) {
  return (
    <ShopPage {...page}>
      <section className="sf-hero sf-bleed">
        <div className="sf-hero-text">
          <h1>{hero.heading}</h1>
          <p>{hero.text}</p>
          <Button href={hero.link.url}>{hero.link.text}</Button>
        </div>
        <img className="sf-hero-image" src={hero.image} alt="" width="960" height="540" fetchPriority="high" />
      </section>
      <WorldTiles {...worlds} />
      <section>
        <h2>{promises.heading}</h2>
        <ul className="sf-promises">
          {promises.items.map((promise) => (
            <li key={promise.icon} className="sf-promise">
              <Icon name={promise.icon} size={32} />
              <div>
                <h3>{promise.heading}</h3>
                <p>{promise.text}</p>
              </div>
            </li>
          ))}
        </ul>
      </section>
    </ShopPage>
  );
}

interface Worlds {
  heading: string;
  items: { heading: string; text: string; url: string; image: string }[];
}

/** Tiles that link to the worlds of the demo shop, if it has any. */
function WorldTiles({ heading, items }: Worlds) {
  if (items.length === 0) return;
  return (
    <section>
      <h2>{heading}</h2>
      <ul className="sf-tiles">
        {items.map((world) => (
          <li key={world.url}>
            <a className="sf-tile" href={world.url}>
              <img src={world.image} alt="" width="480" height="360" loading="lazy" />
              <h3>{world.heading}</h3>
              <p>{world.text}</p>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
