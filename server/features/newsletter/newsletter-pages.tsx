import type { Request, Response } from "express";
import { ActionPage, MessagePage, SubscribePage } from "../../../client/pages/ShopPage.tsx";
import type { NewsletterAnswer } from "../../../client/rules/newsletter-block.ts";
import { setFailureStatus } from "../../rendering/error-pages.ts";
import type { PageRenderer } from "../../rendering/page-renderer.tsx";
import type { Site } from "../../sites/countries.ts";
import { offersNewsletter } from "../../sites/site.ts";
import type { AppContext } from "../feature.ts";
import type { NewsletterBlocks } from "./newsletter-fragment.tsx";

/** What the button of a page does. */
type LinkAction = "confirm" | "refuse" | "unsubscribe" | "resend";
/** The pages that confirm an action, to which its form redirects. */
export const confirmations = ["confirmed", "refused", "unsubscribed", "resent"] as const;
/** What a page reports of a link. */
type LinkOutcome = (typeof confirmations)[number] | "alreadyConfirmed" | "unknownLink" | "tooMany";

export type NewsletterPages = ReturnType<typeof createNewsletterPages>;

/** Creates the newsletter's pages. Search engines may index the empty sign-up page only. */
export function createNewsletterPages({ texts }: AppContext, blocks: NewsletterBlocks, pages: PageRenderer) {
  return { sendBlock, sendAction, sendOutcome };

  /** Sends the page with the sign-up block and an answer, or an error page if the site offers no newsletter. */
  async function sendBlock(request: Request, response: Response, site: Site, answer?: NewsletterAnswer): Promise<void> {
    if (!offersNewsletter(site))
      return pages.sendMessage(request, setFailureStatus(response, { status: "unavailable" }), "error");
    const props = await pages.shopProps(request, site, { styles: ["newsletter.css"], newsletter: false });
    const place = { origin: "NEWSLETTER", originAddition: "page", level: 1, ...(answer && { answer }) } as const;
    const { title, intro } = blocks.contentOf(site).props.texts;
    const page = (
      <SubscribePage
        {...props}
        title={translatorOf(site)("subscribe.title")}
        description={`${title}. ${intro}`}
        {...(answer && { robots: "noindex" })}
        newsletter={{
          site: site.site,
          locale: site.locale,
          assets: { styles: [], scripts: [] },
          block: blocks.render(site, place, `page-${site.site}`),
        }}
      />
    );
    await pages.send(response, page);
  }

  /** Sends a page with a button. */
  async function sendAction(request: Request, response: Response, site: Site, action: LinkAction, token: string) {
    const text = translatorOf(site);
    const page = (
      <ActionPage
        {...(await pages.shopProps(request, site, { newsletter: false }))}
        title={text(`${action}.title`)}
        robots="noindex"
        text={text(`${action}.text`)}
        form={{ action: `/newsletter/${action}`, token, button: text(`${action}.button`) }}
      />
    );
    await pages.send(response, page);
  }

  /** Sends a page that reports what was done. */
  async function sendOutcome(request: Request, response: Response, site: Site, outcome: LinkOutcome) {
    const text = translatorOf(site);
    const heading = text(`${outcome}.title`);
    const page = (
      <MessagePage
        {...(await pages.shopProps(request, site, { newsletter: false }))}
        title={heading}
        robots="noindex"
        heading={heading}
        text={text(`${outcome}.text`)}
        link={
          outcome === "unknownLink"
            ? { url: site.newsletter.links.contact, text: text("unknownLink.link") }
            : { url: "/", text: text("back") }
        }
      />
    );
    await pages.send(response, page);
  }

  function translatorOf(site: Site) {
    return texts.translator(site.locale, "subscription", site.facts);
  }
}
