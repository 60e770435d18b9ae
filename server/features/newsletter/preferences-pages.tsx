import { type Request, type Response, Router } from "express";
import { PreferencesPage, type PreferencesPageProps } from "../../../client/pages/PreferencesPage.tsx";
import { MessagePage } from "../../../client/pages/ShopPage.tsx";
import type { SubscriptionFault } from "../../../client/rules/subscription.ts";
import type { NewsletterChange } from "../../../schemas/types.ts";
import { setCachePolicy } from "../../http/cache-control.ts";
import { createBodyReader } from "../../http/request-input.ts";
import { RequestError } from "../../platform/errors.ts";
import { setFailureStatus } from "../../rendering/error-pages.ts";
import type { PageRenderer } from "../../rendering/page-renderer.tsx";
import type { Site } from "../../sites/countries.ts";
import { offersPreferences } from "../../sites/site.ts";
import type { AppContext } from "../feature.ts";
import { checkCategories } from "./check-categories.ts";
import { createPreferencesTexts } from "./preferences-form.ts";
import { type NewsletterOf, type Preferences, type PreferencesResult, preferencesPath } from "./service.ts";
import { callerOf, formOfShop } from "./shop-form.ts";

const readChange = createBodyReader<NewsletterChange>("newsletter-change");
/** The page that reports that a link was requested. */
const requestedPath = `${preferencesPath}/requested`;

/**
 * The page where subscribers change names, topics and the consent to personalised offers, or end their subscription. It
 * needs a token, and without one sends a link by email. A GET changes nothing, because mail scanners follow links. The
 * page that unsubscribes is in its place on a site without its texts, and where a real newsletter service sends no such
 * link, or can't tell what its subscriber has chosen.
 */
export function preferencesPages(context: AppContext, newsletterOf: NewsletterOf, pages: PageRenderer): Router {
  const { countries, siteOf, texts } = context;
  const { formOf, requestOf, endOf, pageText, linkText } = createPreferencesTexts(texts);
  const router = Router();

  router.get(preferencesPath, async (request, response) => {
    setCachePolicy(response, "private");
    const site = siteOf.page(request);
    const token = String(request.query.token ?? "");
    const service = serviceOf(site);
    if (!service) return leadToUnsubscribe(request, response, token);
    const found = token === "" ? ({ status: "noToken" } as const) : await service.read(token, callerOf(request, site));
    await sendByToken(request, response, { site, token, found });
  });

  router.post(preferencesPath, formOfShop(), async (request: Request, response: Response) => {
    setCachePolicy(response, "private");
    const site = siteOf.form(request);
    const { token, site: _site, ...fields } = { ...request.body };
    const service = serviceOf(site);
    if (!service) throw new RequestError("notFound", "the site has no such page");
    if (token === undefined) return requestLink(request, response, site, fields.email);
    if (typeof token !== "string") throw new RequestError("badRequest", "token is missing");
    const found = await service.read(token, callerOf(request, site));
    if (found.status !== "found") return sendByToken(request, response.status(422), { site, token, found });
    const own = siteWith(found.site, site);
    const change = readChange(toChange(fields, found.preferences));
    checkCategories(change, own);
    const result = await service.change(token, change, callerOf(request, own));
    if (result.status === "changed") return response.redirect(303, addressOf(request, { token, saved: "" }));
    if (result.status === "invalid") {
      const wrong = { values: { ...found.preferences, ...change }, faults: result.faults };
      return sendByToken(request, setFailureStatus(response, result), { site, token, found, wrong });
    }
    await sendByToken(request, response.status(422), { site, token, found: { status: "invalidToken" } });
  });

  router.get(requestedPath, async (request, response) => {
    const site = siteOf.page(request);
    const text = linkText(site);
    const message = { title: text("resent.title"), text: pageText(site)("requested.text") };
    await sendMessage(request, response, site, message, { url: "/", text: text("back") });
  });
  return router;

  /** Returns the calls of a site's page; undefined if it has no such page. */
  function serviceOf(site: Site) {
    return offersPreferences(site, texts) ? newsletterOf(site).preferences : undefined;
  }

  /** Returns the site of a subscription, whose rules and language its page has, wherever it is opened. */
  function siteWith(code: string, opened: Site): Site {
    const own = countries.get(code);
    return own && offersPreferences(own, texts) ? own : opened;
  }

  async function requestLink(request: Request, response: Response, site: Site, email: unknown) {
    if (typeof email !== "string") throw new RequestError("badRequest", "token or email is missing");
    const result = await serviceOf(site)?.request?.(email, callerOf(request, site));
    if (!result) throw new RequestError("notFound", "the site has no such page");
    if (result.status === "invalid") {
      setFailureStatus(response, result);
      return sendRequest(request, response, site, { email, faults: result.faults });
    }
    if (result.status === "rateLimited") {
      const text = linkText(site);
      const message = { title: text("tooMany.title"), text: text("tooMany.text") };
      return sendMessage(request, setFailureStatus(response, result), site, message, { url: "/", text: text("back") });
    }
    const isOwnHost = siteOf.host(request).site === site.site;
    response.redirect(303, isOwnHost ? requestedPath : `${requestedPath}?site=${site.site}`);
  }

  /** Sends the page that a token opens. */
  async function sendByToken(request: Request, response: Response, opened: OpenedPage): Promise<void> {
    const { token, found, wrong } = opened;
    const site = "site" in found ? siteWith(found.site, opened.site) : opened.site;
    const text = linkText(site);
    const page = pageText(site);
    switch (found.status) {
      case "found": {
        const saved = request.query.saved !== undefined && !wrong;
        return sendPage(request, response, site, {
          heading: page("title"),
          text: page("intro"),
          ...(saved && { notice: noticeOf(site, "success", page("saved")) }),
          ...(!saved && !found.isConfirmed && { notice: noticeOf(site, "info", page("pending")) }),
          form: formOf(site, token, wrong?.values ?? found.preferences, wrong?.faults ?? []),
          end: { ...endOf(site, token), heading: text("unsubscribe.title") },
        });
      }
      case "endOnly":
        return sendPage(request, response, site, {
          heading: text("unsubscribe.title"),
          text: text("unsubscribe.text"),
          end: endOf(site, token),
          request: { ...requestOf(site), heading: page("request.heading"), text: page("request.text") },
        });
      case "ended": {
        const link = { url: "/subscribenewsletter", text: page("ended.link") };
        const message = { title: text("unsubscribed.title"), text: page("ended.text") };
        return sendMessage(request, response, site, message, link);
      }
      case "noToken":
      case "invalidToken": {
        if (!serviceOf(site)?.request) return leadToUnsubscribe(request, response, token);
        return sendRequest(
          request,
          response,
          site,
          undefined,
          found.status === "noToken" ? undefined : page("unknown"),
        );
      }
    }
  }

  /** Sends the form that asks for a link by email. */
  async function sendRequest(
    request: Request,
    response: Response,
    site: Site,
    wrong?: { email: string; faults: readonly SubscriptionFault[] },
    problem?: string,
  ) {
    const page = pageText(site);
    await sendPage(request, response, site, {
      heading: page("title"),
      text: page("request.text"),
      ...(problem && { notice: noticeOf(site, "error", problem) }),
      request: requestOf(site, wrong),
    });
  }

  type Content = Pick<PreferencesPageProps, "heading" | "text" | "notice" | "form" | "end" | "request">;

  async function sendPage(request: Request, response: Response, site: Site, content: Content) {
    const props = await pages.shopProps(request, site, { styles: ["preferences.css"], newsletter: false });
    const page = <PreferencesPage {...props} {...content} title={content.heading} robots="noindex" />;
    await pages.send(response, page);
  }

  async function sendMessage(
    request: Request,
    response: Response,
    site: Site,
    message: { title: string; text: string },
    link: { url: string; text: string },
  ) {
    const props = await pages.shopProps(request, site, { newsletter: false });
    await pages.send(response, <MessagePage {...props} {...message} robots="noindex" link={link} />);
  }

  function noticeOf({ locale }: Site, state: "success" | "error" | "info", text: string) {
    return { state, label: texts.translator(locale, "widgets")(`notification.${state}`), text };
  }
}

/** The page that a token opens. */
interface OpenedPage {
  /** The site on which it is opened. */
  site: Site;
  token: string;
  found: PreferencesResult | { status: "noToken" };
  /** The form that was sent wrongly. */
  wrong?: { values: Preferences; faults: readonly SubscriptionFault[] };
}

/** Converts the fields of the form. The consent that a country requires for any newsletter isn't part of it. */
function toChange(
  { salutation, consents = [], categories = [], ...fields }: Record<string, unknown>,
  known: Preferences,
) {
  const ticked = [consents].flat();
  return {
    ...fields,
    ...(salutation !== undefined && { salutation: salutation === "" ? null : salutation }),
    consents: [...known.consents.filter((consent) => consent !== "DNE"), ...ticked],
    categories: [categories].flat(),
  };
}

/** Redirects to the page with the button that ends the subscription. */
function leadToUnsubscribe(request: Request, response: Response, token: string): void {
  response
    .status(303)
    .location(addressOf(request, { token }, "/newsletter/unsubscribe"))
    .end();
}

/** Returns the address of a page on the site that the request names. */
function addressOf({ query }: Request, parameters: Record<string, string>, path = preferencesPath): string {
  const { site } = query;
  return `${path}?${new URLSearchParams({ ...parameters, ...(typeof site === "string" && { site }) })}`;
}
