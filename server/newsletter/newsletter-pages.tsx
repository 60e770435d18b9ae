import type { Request, Response } from "express";
import { ActionPage } from "../../client/newsletter/ActionPage.tsx";
import type { NewsletterAnswer } from "../../client/newsletter/newsletter-props.ts";
import { SubscribePage } from "../../client/newsletter/SubscribePage.tsx";
import { MessagePage } from "../../client/page/MessagePage.tsx";
import type { Texts } from "../i18n.ts";
import { failWith } from "../pages/page-answers.ts";
import type { PageRenderer } from "../pages/page-renderer.tsx";
import type { Site } from "../sites/countries.ts";
import { offersNewsletter } from "../sites/offers-newsletter.ts";
import type { NewsletterContents } from "./newsletter-content.ts";
import { renderNewsletterIsland } from "./newsletter-islands.ts";

/** What a link of a mail asks for, or what its page offers instead. */
export type LinkAction = "confirm" | "refuse" | "unsubscribe" | "resend";
/** What a page says that was done, or why it wasn't. */
export type LinkOutcome =
  | "confirmed"
  | "alreadyConfirmed"
  | "refused"
  | "unsubscribed"
  | "unknownLink"
  | "resent"
  | "tooMany";

export interface NewsletterPages {
  /** Sends the page with the sign-up block, which may answer what was sent, or one that says that there is none now. */
  sendBlock(request: Request, response: Response, site: Site, answer?: NewsletterAnswer): Promise<void>;
  /** Sends the page with the button that does what a mail's link asks for. */
  sendAction(request: Request, response: Response, site: Site, action: LinkAction, token: string): Promise<void>;
  /** Sends the page that says what was done. */
  sendOutcome(request: Request, response: Response, site: Site, outcome: LinkOutcome): Promise<void>;
}

interface NewsletterPageDeps {
  newsletterContents: NewsletterContents;
  pages: PageRenderer;
  texts: Texts;
}

/** Creates the pages around the newsletter. Search engines may show the empty sign-up page alone. */
export function createNewsletterPages({ newsletterContents, pages, texts }: NewsletterPageDeps): NewsletterPages {
  return {
    async sendBlock(request, response, site, answer) {
      if (!offersNewsletter(site))
        return pages.sendMessage(request, failWith(response, { status: "unavailable" }), "error");
      const text = words(site);
      const props = await pages.shopProps(request, site, { styles: ["newsletter.css"], newsletter: false });
      const place = { origin: "NEWSLETTER", originAddition: "page", level: 1, ...(answer && { answer }) } as const;
      const content = newsletterContents(site);
      const page = (
        <SubscribePage
          {...props}
          title={text("subscribe.title")}
          description={`${content.props.texts.title}. ${content.props.texts.intro}`}
          {...(answer && { robots: "noindex" })}
          newsletter={{
            site: site.site,
            locale: site.locale,
            assets: { styles: [], scripts: [] },
            block: renderNewsletterIsland(content, place, `page-${site.site}`),
          }}
        />
      );
      await pages.send(response, page);
    },

    async sendAction(request, response, site, action, token) {
      const text = words(site);
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
    },

    async sendOutcome(request, response, site, outcome) {
      const text = words(site);
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
    },
  };

  function words(site: Site) {
    return texts.translator(site.locale, "subscription", site.facts);
  }
}
