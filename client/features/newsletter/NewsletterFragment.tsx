import { type AssetFiles, AssetTags } from "../../assets/AssetTags.tsx";
import { Island, type IslandMarkup } from "../../islands/Island.tsx";

export interface NewsletterFragmentProps {
  site: string;
  locale: string;
  /** The files that the fragment loads; empty if the host page loads them. */
  assets: AssetFiles;
  /** Undefined if the site offers no newsletter. */
  block?: IslandMarkup;
}

/** The newsletter fragment: the sign-up block alone. */
export function NewsletterFragment({ site, locale, assets, block }: NewsletterFragmentProps) {
  return (
    <section
      className="sf-root sf-fragment"
      lang={locale}
      data-fragment="newsletter"
      data-nosnippet=""
      data-site={site}
    >
      <AssetTags {...assets} />
      {block && <Island {...block} />}
    </section>
  );
}
