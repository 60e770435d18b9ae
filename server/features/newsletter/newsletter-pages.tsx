import { type Request, type Response, Router } from "express";
import { MessagePage, type MessagePageProps, SubscribePage } from "../../../client/pages/ShopPage.tsx";
import type { NewsletterAnswer } from "../../../client/rules/newsletter-block.ts";
import { honeypotName } from "../../../client/rules/subscription.ts";
import { minute } from "../../../client/rules/time.ts";
import type { NewsletterSubscription } from "../../../schemas/types.ts";
import { createBodyReader } from "../../http/request-input.ts";
import { RequestError } from "../../platform/errors.ts";
import { setFailureStatus, settleForm } from "../../rendering/error-pages.ts";
import type { PageRenderer } from "../../rendering/page-renderer.tsx";
import type { Site } from "../../sites/countries.ts";
import { offersNewsletter } from "../../sites/site.ts";
import type { AppContext } from "../feature.ts";
import { checkCategories } from "./check-categories.ts";
import { confirmedPage, keepVoucherCode, readVoucher } from "./confirmed-voucher.ts";
import type { NewsletterBlocks } from "./newsletter-fragment.tsx";
import type { NewsletterOf } from "./service.ts";
import { callerOf, formOfShop } from "./shop-form.ts";

const readSubscription = createBodyReader<NewsletterSubscription>("newsletter-subscription");

const page = "/subscribenewsletter";
/** Cookies for the page of thanks: the address, which would be logged in a query, and the form's place. */
const cookies = { email: "NewsletterEmail", origin: "NewsletterOrigin" } as const;
const cookieOptions = { path: page, httpOnly: true, sameSite: "lax" } as const;

/** The action of a page's button. */
type LinkAction = "confirm" | "refuse" | "unsubscribe" | "resend";
/** The pages that confirm an action, to which its form redirects. */
const confirmations = ["confirmed", "refused", "unsubscribed", "resent"] as const;
/** The outcome of a link that a page reports. */
type LinkOutcome = (typeof confirmations)[number] | "alreadyConfirmed" | "unknownLink" | "tooMany";

/**
 * The sign-up page, to which its form is sent without script, and the pages behind the links in emails. A GET of these
 * shows a button and changes nothing, because mail scanners follow links, too. The button's POST performs the action,
 * and redirects to the page that confirms it. Search engines may index only the empty sign-up page.
 */
export function newsletterPages(
  { logger, siteOf, texts }: AppContext,
  newsletterOf: NewsletterOf,
  blocks: NewsletterBlocks,
  pages: PageRenderer,
): Router {
  const router = Router();
  const form = formOfShop();

  router.get(page, async (request, response) => {
    const { [cookies.email]: email, [cookies.origin]: tracked }: Record<string, unknown> = request.cookies;
    if (typeof email !== "string") return sendBlock(request, response, siteOf.form(request));
    for (const name of Object.values(cookies)) response.clearCookie(name, cookieOptions);
    const answer = { status: "success", email, ...(typeof tracked === "string" && { tracked }) } as const;
    await sendBlock(request, response, siteOf.form(request), answer);
  });

  // People who open the form's address get its page. For programs, GET is a wrong method.
  router.all("/newsletter", (request, response, next) => {
    if (request.method === "GET" && request.accepts("text", "html") === "html") response.redirect(303, page);
    else next();
  });

  router.post("/newsletter", form, async (request: Request, response: Response) => {
    const site = siteOf.form(request);
    if (!offersNewsletter(site)) return sendBlock(request, response, site);
    const { [honeypotName]: bait, site: _site, ...fields } = { ...request.body };
    const subscription = readSubscription(toSubscription(fields));
    checkCategories(subscription, site);
    // Only bots fill in the invisible field. They get the usual answer, but nothing is stored.
    const result = bait
      ? ({ status: "accepted" } as const)
      : await settleForm(
          newsletterOf(site).subscribe(subscription, callerOf(request, site)),
          logger,
          "the newsletter service could not accept a sign-up",
        );
    if (result.status === "accepted") return redirectToThanks(request, response, site, subscription);
    setFailureStatus(response, result);
    const values = { consents: [], ...subscription };
    const isInvalid = result.status === "invalid";
    const answer = isInvalid ? { ...result, values } : ({ status: "technicalError", values } as const);
    await sendBlock(request, response, site, answer);
  });

  router.get("/newsletter/confirm", async (request, response) => {
    const site = siteOf.page(request);
    const token = String(request.query.token ?? "");
    const found = await newsletterOf(site).read(token, callerOf(request, site));
    const status = found.status === "found" ? found.subscription.status : undefined;
    if (status === "WAITING_FOR_DOI") return sendAction(request, response, site, "confirm", token);
    if (status === "SUBSCRIBED") return sendOutcome(request, response, site, "alreadyConfirmed");
    if (status === "NONE") return sendAction(request, response, site, "resend", token);
    await sendBlock(request, response, site, { status: "invalidLink" });
  });

  router.post("/newsletter/confirm", form, async (request: Request, response: Response) => {
    const site = siteOf.page(request);
    const token = tokenOf(request);
    const result = await newsletterOf(site).confirm(token, callerOf(request, site));
    if (result.status === "subscribed") {
      if (result.voucherCode !== undefined) keepVoucherCode(request, response, result.voucherCode);
      return response.redirect(303, confirmedPage);
    }
    setFailureStatus(response, result);
    if (result.status === "expired") return sendAction(request, response, site, "resend", token);
    await sendBlock(request, response, site, { status: "invalidLink" });
  });

  for (const [action, outcome] of [
    ["refuse", "refused"],
    ["unsubscribe", "unsubscribed"],
  ] as const) {
    router.get(`/newsletter/${action}`, async (request, response) => {
      await sendAction(request, response, siteOf.page(request), action, String(request.query.token ?? ""));
    });

    router.post(`/newsletter/${action}`, form, async (request: Request, response: Response) => {
      const site = siteOf.page(request);
      const result = await newsletterOf(site)[action](tokenOf(request), callerOf(request, site));
      if (result.status === "ended") return response.redirect(303, `/newsletter/${outcome}`);
      await sendOutcome(request, setFailureStatus(response, result), site, "unknownLink");
    });
  }

  router.post("/newsletter/resend", form, async (request: Request, response: Response) => {
    const site = siteOf.page(request);
    const result = await newsletterOf(site).resend(tokenOf(request), callerOf(request, site));
    if (result.status === "accepted") return response.redirect(303, "/newsletter/resent");
    setFailureStatus(response, result);
    if (result.status === "rateLimited") return sendOutcome(request, response, site, "tooMany");
    await sendBlock(request, response, site, { status: "invalidLink" });
  });

  for (const outcome of confirmations) {
    router.get(`/newsletter/${outcome}`, async (request, response) => {
      await sendOutcome(request, response, siteOf.page(request), outcome);
    });
  }
  return router;

  /**
   * Redirects to the page of thanks. Names the site if the form was on another site's host, so that the page is in the
   * form's language.
   */
  function redirectToThanks(
    request: Request,
    response: Response,
    { site }: Site,
    subscription: NewsletterSubscription,
  ) {
    const { email, origin = "NEWSLETTER", originAddition = "" } = subscription;
    const options = { ...cookieOptions, maxAge: minute, secure: request.secure };
    response.cookie(cookies.email, email, options);
    response.cookie(cookies.origin, `${origin}:${originAddition}`, options);
    response.redirect(303, siteOf.host(request).site === site ? page : `${page}?site=${site}`);
  }

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
        newsletter={() => ({
          site: site.site,
          locale: site.locale,
          assets: { styles: [], scripts: [] },
          block: blocks.render(site, place, "page"),
        })}
      />
    );
    await pages.send(response, page);
  }

  /** Sends a page with a button that uses a token. */
  async function sendAction(request: Request, response: Response, site: Site, action: LinkAction, token: string) {
    const button = translatorOf(site)(`${action}.button`);
    await sendMessage(request, response, site, action, { form: { action: `/newsletter/${action}`, token, button } });
  }

  /** Sends a page that reports an outcome. */
  async function sendOutcome(request: Request, response: Response, site: Site, outcome: LinkOutcome) {
    const text = translatorOf(site);
    const link =
      outcome === "unknownLink"
        ? { url: site.newsletter.links.contact, text: text("unknownLink.link") }
        : { url: "/", text: text("back") };
    await sendMessage(request, response, site, outcome, { link });
  }

  async function sendMessage(
    request: Request,
    response: Response,
    site: Site,
    about: LinkAction | LinkOutcome,
    next: Pick<MessagePageProps, "form" | "link">,
  ) {
    const text = translatorOf(site);
    const promisesNothing = about === "confirmed" && !site.newsletter.voucher;
    const voucher = about === "confirmed" ? readVoucher(request, site, texts) : undefined;
    const page = (
      <MessagePage
        {...(await pages.shopProps(request, site, { newsletter: false }))}
        title={text(`${about}.title`)}
        robots="noindex"
        text={text(promisesNothing ? "confirmed.textWithoutVoucher" : `${about}.text`)}
        {...next}
        {...(voucher && { voucher })}
      />
    );
    await pages.send(response, page);
  }

  function translatorOf(site: Site) {
    return texts.translator(site.locale, "subscription", site.facts);
  }
}

/**
 * Converts the fields of a form. Drops empty fields, which browsers send as well, and makes lists of single ticked
 * boxes, which browsers send as strings. A shop's own form may name the address `newsletterEmail`.
 */
function toSubscription({ consents = [], categories = [], newsletterEmail, ...fields }: Record<string, unknown>) {
  const given = Object.entries({ email: newsletterEmail ?? "", ...fields }).filter(([, value]) => value !== "");
  const chosen = [categories].flat();
  return {
    email: "",
    ...Object.fromEntries(given),
    consents: [consents].flat(),
    ...(chosen.length > 0 && { categories: chosen }),
  };
}

function tokenOf({ body }: Request): string {
  if (typeof body?.token !== "string") throw new RequestError("badRequest", "token is missing");
  return body.token;
}
