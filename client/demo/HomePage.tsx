import { Icon } from "../icons/Icon.tsx";
import { ShopPage, type ShopPageProps } from "../page/ShopPage.tsx";
import { Button } from "../widgets/button/Button.tsx";
import { type Worlds, WorldTiles } from "./WorldTiles.tsx";

export interface HomePageProps extends ShopPageProps {
  hero: { heading: string; text: string; link: { url: string; text: string }; image: string };
  worlds: Worlds;
  promises: { heading: string; items: { icon: string; heading: string; text: string }[] };
}

/** A demo home page, composed of the fragments the way an edge proxy would. */
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
