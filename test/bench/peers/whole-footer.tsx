import { createElement, type ReactElement } from "react";
import { renderToString } from "react-dom/server";
import { Footer } from "../../../client/features/footer/Footer.tsx";
import type { FooterProps } from "../../../client/features/footer/footer-props.ts";
import { NewsletterBlock } from "../../../client/features/newsletter/NewsletterBlock.tsx";
import type { NewsletterProps } from "../../../client/rules/newsletter-block.ts";

/**
 * Returns the service's footer without its caches. Renders the newsletter block, too, which is a React root of its own.
 */
export function wholeFooter({ newsletter, ...props }: FooterProps): ReactElement {
  if (!newsletter) return <Footer {...props} />;
  const blockProps = { ...newsletter.props, ...newsletter.shared?.props } as NewsletterProps;
  const block = createElement(NewsletterBlock, blockProps);
  const html = renderToString(block, { identifierPrefix: newsletter.prefix });
  return <Footer {...props} newsletter={{ ...newsletter, html }} />;
}
