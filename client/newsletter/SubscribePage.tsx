import { ShopPage, type ShopPageProps } from "../page/ShopPage.tsx";
import { Button } from "../widgets/button/Button.tsx";
import { NewsletterFragment, type NewsletterFragmentProps } from "./NewsletterFragment.tsx";

export interface SubscribePageProps extends ShopPageProps {
  newsletter: NewsletterFragmentProps;
  /** A message above the form. */
  note?: string;
  /** Offers a new mail to somebody whose link came too late. */
  resend?: { text: string; button: string; token: string };
}

/** The page to sign up for the newsletter. */
export function SubscribePage({ newsletter, note, resend, ...page }: SubscribePageProps) {
  return (
    <ShopPage {...page}>
      {note && <p className="sf-note">{note}</p>}
      {resend && (
        <form className="sf-note" method="post" action="/newsletter/resend">
          <p>{resend.text}</p>
          <input type="hidden" name="token" value={resend.token} />
          <Button type="submit" variant="secondary">
            {resend.button}
          </Button>
        </form>
      )}
      <NewsletterFragment {...newsletter} />
    </ShopPage>
  );
}
