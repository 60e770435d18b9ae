import { type Request, Router } from "express";
import type { SubscriptionFault } from "../../../../client/rules/subscription.ts";
import type { NewsletterChange, NewsletterPreferences, NewsletterSubscription } from "../../../../schemas/types.ts";
import { requireCsrf } from "../../../http/csrf.ts";
import { createBodyReader, jsonBody } from "../../../http/request-input.ts";
import { type FieldFault, RequestError } from "../../../platform/errors.ts";
import { textValues } from "../../../sites/legal-texts.ts";
import type { AppContext } from "../../feature.ts";
import { categoriesError, checkCategories } from "../check-categories.ts";
import { type NewsletterCaller, type PreferencesResult, subscriberPaths } from "../service.ts";
import type { EmbeddedNewsletter } from "./embedded-newsletter.ts";

const readSubscription = createBodyReader<NewsletterSubscription>("newsletter-subscription");
const readChange = createBodyReader<NewsletterChange>("newsletter-change");

const refused = "the sign-up has wrong fields";
/** In bytes. */
const maxBody = 2 * 1024;

/** The API of the embedded newsletter service. */
export function newsletterRoutes({ originalAddressOf, siteOf, texts }: AppContext, newsletter: EmbeddedNewsletter) {
  const router = Router();
  for (const base of subscriberPaths) addRoutes(base);
  return router;

  function addRoutes(base: string) {
    router.post(base, requireCsrf(), jsonBody(maxBody), async (request, response) => {
      const caller = callerOf(request);
      const subscription = readSignUp(request.body);
      checkCategories(subscription, caller.site);
      const result = await newsletter.subscribe(subscription, caller);
      if (result.status === "invalid") throw signUpError(refused, fieldsOf(result.faults, caller));
      if (result.status === "rateLimited") throw new RequestError(result.status, "too many sign-ups", result);
      response.status(202).json({ status: "ACCEPTED" });
    });

    router.get(`${base}/:token`, async (request, response) => {
      const result = await newsletter.read(tokenOf(request));
      if (result.status === "invalidToken") throw invalidToken();
      response.json(result.subscription);
    });

    router.get(`${base}/:token/preferences`, async (request, response) => {
      response.json(describePreferences(await newsletter.preferences.read(tokenOf(request))));
    });

    router.put(`${base}/:token/doi`, requireCsrf(), async (request, response) => {
      const { status } = await newsletter.confirm(tokenOf(request), callerOf(request));
      if (status === "invalidToken") throw invalidToken();
      if (status === "expired") throw new RequestError(status, "the link is too old");
      response.json({ status: "SUBSCRIBED" });
    });

    router.put(`${base}/:token`, requireCsrf(), jsonBody(maxBody), async (request, response) => {
      const caller = callerOf(request);
      const change = readChange(request.body);
      const result = await newsletter.change(tokenOf(request), change, caller);
      if (result.status === "notOffered") throw categoriesError(result.site);
      if (result.status === "invalid")
        throw new RequestError("invalid", refused, { fields: fieldsOf(result.faults, caller) });
      if (result.status === "invalidToken") throw invalidToken();
      response.json(result.fields);
    });

    // Mail programs call this without cookie or CSRF header: https://www.rfc-editor.org/rfc/rfc8058
    router.post(`${base}/:token/unsubscribe`, async (request, response) => {
      const { status } = await newsletter.unsubscribe(tokenOf(request), callerOf(request));
      if (status === "invalidToken") throw invalidToken();
      response.json({ status: "UNSUBSCRIBED" });
    });

    // For the program that sends newsletters, which has no cookies.
    router.post(`${base}/:token/opened`, async (request, response) => {
      if (!(await newsletter.recordOpening(tokenOf(request)))) throw invalidToken();
      response.json({ status: "OPENED" });
    });
  }

  function callerOf(request: Request): NewsletterCaller {
    return { site: siteOf.call(request), address: originalAddressOf(request) };
  }

  /** Describes faults in the words of the form. */
  function fieldsOf(faults: readonly SubscriptionFault[], { site }: NewsletterCaller): FieldFault[] {
    const { locale, newsletter: settings } = site;
    const text = texts.translator(locale, "newsletter", textValues(locale, settings));
    return faults.map(({ field, key }) => ({
      field: field === "legals" ? "consents" : field,
      message: text(key),
    }));
  }
}

function readSignUp(body: unknown): NewsletterSubscription {
  try {
    return readSubscription(body);
  } catch (error) {
    throw error instanceof RequestError ? signUpError(error.message, error.fields) : error;
  }
}

/** A wrong address has an error type of its own. */
function signUpError(message: string, fields: readonly FieldFault[]): RequestError {
  const isEmail = fields.some(({ field }) => field === "email");
  return new RequestError(isEmail ? "invalidEmail" : "invalid", message, { fields });
}

/** @throws RequestError if the token shows nothing */
function describePreferences(found: PreferencesResult): NewsletterPreferences {
  switch (found.status) {
    case "found": {
      const { isConfirmed, preferences, site } = found;
      return { status: isConfirmed ? "SUBSCRIBED" : "WAITING_FOR_DOI", site, ...preferences };
    }
    case "ended":
      return { status: "UNSUBSCRIBED", site: found.site };
    default:
      throw invalidToken();
  }
}

function tokenOf({ params }: Request): string {
  return String(params.token);
}

function invalidToken(): RequestError {
  return new RequestError("invalidToken", "the link isn't valid");
}
