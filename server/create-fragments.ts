import { createFooterFragment, type FooterFragmentSources } from "./footer/footer-fragment.tsx";
import type { Fragment } from "./fragments/fragment.ts";
import { createHeadFragment } from "./fragments/head-fragment.tsx";
import {
  createNewsletterContents,
  type NewsletterContents,
  type NewsletterSources,
} from "./newsletter/newsletter-content.ts";
import { createNewsletterFragment } from "./newsletter/newsletter-fragment.tsx";
import { createNewsletterIslands } from "./newsletter/newsletter-islands.ts";

export interface Fragments {
  /** Every fragment that composers can ask for. */
  all: readonly Fragment[];
  /** The fragment that every page of the shop shows. */
  footer: Fragment;
  /** The fragment for the head of pages, which loads the files of all others. */
  head: Fragment;
  /** What the newsletter's blocks show, which browsers load apart from the fragments. */
  newsletterContents: NewsletterContents;
}

type FragmentSources = Omit<FooterFragmentSources, "newsletter"> & NewsletterSources;

/** Creates every fragment of the service. A new one is named here, and nowhere else. */
export function createFragments(sources: FragmentSources): Fragments {
  const { assets } = sources;
  const newsletterContents = createNewsletterContents(sources);
  const newsletter = createNewsletterIslands(newsletterContents);
  const footer = createFooterFragment({ ...sources, newsletter });
  const parts = [footer, createNewsletterFragment(assets, newsletter)];
  const head = createHeadFragment(assets, parts);
  return { all: [...parts, head], footer, head, newsletterContents };
}
