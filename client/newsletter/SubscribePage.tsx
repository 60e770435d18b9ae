import { ShopPage, type ShopPageProps } from "../page/ShopPage.tsx";
import { NewsletterFragment, type NewsletterFragmentProps } from "./NewsletterFragment.tsx";

export interface SubscribePageProps extends ShopPageProps {
  newsletter: NewsletterFragmentProps;
}

/** The page to sign up for the newsletter. */
export function SubscribePage({ newsletter, ...page }: SubscribePageProps) {
  return (
    <ShopPage {...page}>
      <div className="sf-bleed">
        <NewsletterFragment {...newsletter} />
      </div>
    </ShopPage>
  );
}
