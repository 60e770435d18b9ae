import { ShopPage, type ShopPageProps } from "../page/ShopPage.tsx";
import { Button } from "../widgets/button/Button.tsx";

export interface ActionPageProps extends Omit<ShopPageProps, "description"> {
  text: string;
  /** What the button sends, and where to. */
  form: { action: string; token: string; button: string };
}

/**
 * The page that a link of a mail leads to. Mail scanners open links, too: nothing happens until a person presses the
 * button.
 */
export function ActionPage({ text, form, ...page }: ActionPageProps) {
  return (
    <ShopPage {...page} description={text}>
      <section className="sf-message">
        <h1>{page.title}</h1>
        <p>{text}</p>
        <form method="post" action={form.action}>
          <input type="hidden" name="token" value={form.token} />
          <Button type="submit" size="large">
            {form.button}
          </Button>
        </form>
      </section>
    </ShopPage>
  );
}
