import { NewsletterFragment, type NewsletterFragmentProps } from "../../client/newsletter/NewsletterFragment.tsx";
import type { NewsletterParameters } from "../../schemas/types.ts";
import type { Assets } from "../assets.ts";
import { defineFragment, nothingOutside } from "../fragments/define-fragment.ts";
import type { Fragment } from "../fragments/fragment.ts";
import { offersNewsletter } from "../sites/offers-newsletter.ts";
import type { NewsletterIslands } from "./newsletter-islands.ts";

const files = { styles: ["newsletter.css"], scripts: ["boot.js"] };

/** Creates the fragment that is the sign-up block of the newsletter. */
export function createNewsletterFragment(assets: Assets, islands: NewsletterIslands): Fragment {
  return defineFragment<NewsletterParameters, NewsletterFragmentProps>({
    name: "newsletter",
    assets: files,
    hasText: ({ originAddition }) => originAddition !== "",
    outside: nothingOutside,
    props: (site, { origin, originAddition, ...parameters }) => ({
      site: site.site,
      locale: site.locale,
      assets: parameters.assets === "inline" ? assets.urls(files) : { styles: [], scripts: [] },
      ...(offersNewsletter(site) && {
        block: islands(site, { origin, originAddition, level: 2 }, "newsletter"),
      }),
    }),
    render: (props) => <NewsletterFragment {...props} />,
    fallbackParameters: { origin: "NEWSLETTER", originAddition: "", assets: "inline" },
  });
}
