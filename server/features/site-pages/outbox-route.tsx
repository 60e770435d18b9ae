import { type RequestHandler, Router } from "express";
import { contentSecurityPolicy } from "helmet";
import { OutboxPage } from "../../../client/pages/overview/OutboxPage.tsx";
import type { PageRenderer } from "../../rendering/page-renderer.tsx";
import type { AppContext } from "../feature.ts";
import type { MailReader, NewsletterMail } from "../newsletter/service.ts";
import type { NavigateTeam } from "./team-navigation.ts";

/** The path of a mail as HTML. */
const mailPath = "/outbox/:mail/html";

/** The maximum number of listed mails. */
const most = 50;

/** The outbox: the list of the newsletter's mails, a page for each, and the mail itself as HTML. */
export function outboxRoute(
  { assets, countries, siteOf, texts }: AppContext,
  pages: PageRenderer,
  navigate: NavigateTeam,
  mails: MailReader,
): Router {
  const text = texts.translator("en", "outbox", { most });
  const frame = { text, ...assets.filesOf({ styles: ["page.css", "overview.css"], scripts: [] }) };
  const router = Router();
  router.use(mailPath, mailPolicy, allowSandbox);
  router.get(mailPath, async ({ params }, response) => {
    const mail = await mails.find(params.mail);
    if (!mail?.message) return void response.sendStatus(404);
    // Without a base, links would open inside the frame.
    const html = mail.message.html.replace("<head>", '<head><base target="_blank">');
    response.set("X-Robots-Tag", "noindex").type("html").send(html);
  });
  router.get("/outbox{/:mail}", async (request, response, next) => {
    const { params } = request;
    const shown = params.mail === undefined ? undefined : await mails.find(params.mail);
    if (params.mail !== undefined && !shown) return next();
    const { locale, origin } = siteOf.host(request);
    await pages.send(
      response,
      <OutboxPage
        {...frame}
        navigation={navigate(request)}
        signUp={{ url: `${origin}/subscribenewsletter`, locale }}
        mails={(await mails.list(most)).map(localize)}
        shown={shown && localize(shown)}
      />,
    );
  });
  return router;

  function localize(mail: NewsletterMail) {
    const { locale = "en", timeZone } = countries.get(mail.site) ?? {};
    return { ...mail, locale, timeZone };
  }
}

/**
 * The policy for an email, whose styles are on its elements: nothing in it runs, and its links open outside the
 * sandbox.
 */
const mailPolicy = contentSecurityPolicy({
  useDefaults: false,
  directives: {
    defaultSrc: "'none'",
    styleSrc: "'unsafe-inline'",
    formAction: "'none'",
    baseUri: "'none'",
    frameAncestors: "'self'",
    sandbox: ["allow-popups", "allow-popups-to-escape-sandbox"],
  },
});

/**
 * Removes a header that sandboxed documents can't have: browsers refuse to show one with a Cross-Origin-Opener-Policy.
 */
const allowSandbox: RequestHandler = (_request, response, next) => {
  for (const name of ["Cross-Origin-Opener-Policy", "Origin-Agent-Cluster", "Permissions-Policy"])
    response.removeHeader(name);
  next();
};
