import { CountryLinks } from "../features/footer/Choices.tsx";
import type { CountryLink } from "../features/footer/footer-props.ts";
import { ShopPage, type ShopPageProps } from "./ShopPage.tsx";

interface CountriesPageProps extends ShopPageProps {
  /** Lists the sites of all countries. Called after the page's head was sent. */
  countries: () => CountryLink[];
  /** The code of this page's site. */
  current: string;
}

/** The page that lists the sites of all countries. */
export function CountriesPage({ countries, current, ...page }: CountriesPageProps) {
  const Links = () => <CountryLinks items={countries()} current={current} />;
  return (
    <ShopPage {...page}>
      <section className="sf-countries">
        <h1>{page.title}</h1>
        <ul>
          <Links />
        </ul>
      </section>
    </ShopPage>
  );
}
