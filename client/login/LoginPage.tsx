import { Island, type IslandMarkup } from "../islands/Island.tsx";
import { ShopPage, type ShopPageProps } from "../page/ShopPage.tsx";

/** The page to log in. */
export function LoginPage({ form, ...page }: ShopPageProps & { form: IslandMarkup }) {
  return (
    <ShopPage {...page}>
      <Island {...form} />
    </ShopPage>
  );
}
