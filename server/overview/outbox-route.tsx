import { Router } from "express";
import { OutboxPage } from "../../client/overview/OutboxPage.tsx";
import type { ListedMail, ShownMail } from "../../client/overview/outbox-props.ts";
import type { Assets } from "../assets.ts";
import type { Texts } from "../i18n.ts";
import type { PageRenderer } from "../pages/page-renderer.tsx";
import type { MailReader, NewsletterMail } from "../services/mail-reader.ts";
import type { CountryRegistry } from "../sites/countries.ts";

interface OutboxDeps {
  assets: Assets;
  countries: CountryRegistry;
  mails: MailReader;
  pages: PageRenderer;
  texts: Texts;
}

/** The address of a mail as HTML, which has headers of its own. */
export const mailPath = "/outbox/:mail/html";

/** How many mails the list has at most. */
const most = 50;

/** Answers the list of the newsletter's mails, the page that shows one of them, and that mail as HTML. */
export function outboxRoute({ assets, countries, mails, pages, texts }: OutboxDeps): Router {
  const text = texts.translator("en", "outbox", { most });
  const frame = { text, ...assets.urls({ styles: ["page.css", "overview.css"], scripts: [] }) };
  const router = Router();
  router.get(mailPath, async ({ params }, response) => {
    const mail = await mails.find(params.mail);
    if (!mail?.message) return void response.sendStatus(404);
    // Without a base, links would open within the frame: test/browser/outbox.test.ts
    const html = mail.message.html.replace("<head>", '<head><base target="_blank">');
    response.set("X-Robots-Tag", "noindex").type("html").send(html);
  });
  router.get("/outbox{/:mail}", async ({ params }, response, next) => {
    const shown = params.mail === undefined ? undefined : await mails.find(params.mail);
    if (params.mail !== undefined && !shown) return next();
    const listed = (await mails.list(most)).map(toListed);
    await pages.send(response, <OutboxPage {...frame} mails={listed} shown={shown && toShown(shown)} />);
  });
  return router;

  function toListed({ id, site, recipient, state, at, message }: NewsletterMail): ListedMail {
    const { locale = "en", timeZone } = countries.get(site) ?? {};
    const time = new Intl.DateTimeFormat("en-GB", { timeZone, dateStyle: "medium", timeStyle: "short" }).format(at);
    return {
      url: `/outbox/${id}`,
      subject: message?.subject ?? "",
      locale,
      recipient,
      site,
      state: text(`state.${state}`),
      time: { text: time, dateTime: new Date(at).toISOString() },
    };
  }

  function toShown(mail: NewsletterMail): ShownMail {
    const { id, message } = mail;
    return { ...toListed(mail), message: message && { ...message, url: `/outbox/${id}/html` } };
  }
}
