import { AssetTags } from "../assets/AssetTags.tsx";
import { Island, type IslandMarkup } from "../islands/Island.tsx";

export interface NewsletterFragmentProps {
  site: string;
  locale: string;
  /** Addresses of what the fragment loads itself; empty when the host page loads it. */
  assets: { styles: string[]; scripts: string[] };
  /** Undefined where the site offers no newsletter. */
  block?: IslandMarkup;
}

/** The fragment that holds nothing but the sign-up block. */
export function NewsletterFragment({ site, locale, assets, block }: NewsletterFragmentProps) {
  return (
    <section className="sf-root sf-fragment" lang={locale} data-fragment="newsletter" data-site={site}>
      <AssetTags {...assets} />
      {block && <Island {...block} />}
    </section>
  );
}
