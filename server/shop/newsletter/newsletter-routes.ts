import { type Request, Router } from "express";
import type { SubscriptionFault } from "../../../client/rules/subscription.ts";
import type { NewsletterSubscription } from "../../../schemas/types.ts";
import { type FieldFault, RequestError } from "../../errors.ts";
import { jsonBody } from "../../http/json-body.ts";
import type { OriginalAddressOf } from "../../http/original-address.ts";
import { requireCsrf } from "../../http/require-csrf.ts";
import type { Texts } from "../../i18n.ts";
import { type Caller, type NewsletterService, subscriberPaths } from "../../services/newsletter-service.ts";
import { readChange, readSubscription } from "../../services/subscription-body.ts";
import { textValues } from "../../sites/legal-texts.ts";
import type { SiteResolver } from "../../sites/resolve-site.ts";

export interface NewsletterRouteDeps {
  newsletter: NewsletterService;
  originalAddressOf: OriginalAddressOf;
  siteOf: SiteResolver;
  texts: Texts;
}

const refused = "the sign-up isn't as it should be";
/** The largest body of a call, in bytes. */
const maxBody = 2 * 1024;

/** Answers the calls of the embedded newsletter service: to sign up, and all that the links of its mails do. */
export function newsletterRoutes({ newsletter, originalAddressOf, siteOf, texts }: NewsletterRouteDeps): Router {
  const router = Router();
  for (const base of subscriberPaths) addRoutes(base);
  return router;

  function addRoutes(base: string) {
    router.post(base, requireCsrf(), jsonBody(maxBody), async (request, response) => {
      const caller = callerOf(request);
      const result = await newsletter.subscribe(readSignUp(request.body), caller);
      if (result.status === "invalid") throw signUpError(refused, fieldsOf(result.faults, caller));
      if (result.status === "rateLimited") throw new RequestError(result.status, "too many sign-ups", result);
      response.status(202).json({ status: "ACCEPTED" });
    });

    router.get(`${base}/:token`, async (request, response) => {
      const result = await newsletter.read(tokenOf(request), callerOf(request));
      if (result.status === "invalidToken") throw invalidToken();
      response.json(result.subscription);
    });

    router.put(`${base}/:token/doi`, requireCsrf(), async (request, response) => {
      const { status } = await newsletter.confirm(tokenOf(request), callerOf(request));
      if (status === "invalidToken") throw invalidToken();
      if (status === "expired") throw new RequestError(status, "the link is too old");
      response.json({ status: "SUBSCRIBED" });
    });

    router.put(`${base}/:token`, requireCsrf(), jsonBody(maxBody), async (request, response) => {
      const caller = callerOf(request);
      const result = await newsletter.change(tokenOf(request), readChange(request.body), caller);
      if (result.status === "invalid")
        throw new RequestError("invalid", refused, { fields: fieldsOf(result.faults, caller) });
      if (result.status === "invalidToken") throw invalidToken();
      response.json(result.fields);
    });

    // Mail programs call this for their users, and know nothing but its address: https://www.rfc-editor.org/rfc/rfc8058
    router.post(`${base}/:token/unsubscribe`, async (request, response) => {
      const { status } = await newsletter.unsubscribe(tokenOf(request), callerOf(request));
      if (status === "invalidToken") throw invalidToken();
      response.json({ status: "UNSUBSCRIBED" });
    });

    // Who sends newsletters is a program without cookies: docs/decisions/2026-11-22-openings-by-token.md
    router.post(`${base}/:token/opened`, async (request, response) => {
      const { status } = await newsletter.noteOpened(tokenOf(request));
      if (status === "invalidToken") throw invalidToken();
      response.json({ status: "OPENED" });
    });
  }

  function callerOf(request: Request): Caller {
    return { site: siteOf.call(request), address: originalAddressOf(request) };
  }

  /** Says what is wrong in the words of the form. */
  function fieldsOf(faults: readonly SubscriptionFault[], { site }: Caller): FieldFault[] {
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

/** Makes the error of a refused sign-up, which tells a wrong address from every other mistake. */
function signUpError(message: string, fields: readonly FieldFault[]): RequestError {
  const isEmail = fields.some(({ field }) => field === "email");
  return new RequestError(isEmail ? "invalidEmail" : "invalid", message, { fields });
}

/** Reads the token of a path. It throws when the text can't be one, so that the store isn't asked. */
function tokenOf({ params }: Request): string {
  const token = String(params.token);
  if (!/^[\w-]{20,100}$/.test(token)) throw invalidToken();
  return token;
}

function invalidToken(): RequestError {
  return new RequestError("invalidToken", "the link isn't valid");
}
