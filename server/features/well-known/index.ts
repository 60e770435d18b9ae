import { Router } from "express";
import { day, type Milliseconds } from "../../../client/rules/time.ts";
import type { AppContext, Feature } from "../feature.ts";

/** A statement may be believed for less than a year: https://www.rfc-editor.org/rfc/rfc9116#section-2.5.5 */
const validity: Milliseconds = 300 * day;

/** The well-known places at which researchers and password managers look on every site. */
export function createWellKnown({ brand: { securityContact }, siteOf }: AppContext): Feature {
  return {
    pages() {
      const router = Router();
      // https://w3c.github.io/webappsec-change-password-url/
      router.get("/.well-known/change-password", (request, response) => {
        response.redirect(303, siteOf.page(request).login.forgottenPassword);
      });
      if (securityContact !== undefined)
        router.get("/.well-known/security.txt", (request, response) => {
          const { locale, origin } = siteOf.page(request);
          response
            .type("text/plain")
            .send(
              [
                `Contact: ${toUri(securityContact)}`,
                `Expires: ${expiry()}`,
                `Preferred-Languages: ${new Intl.Locale(locale).language}`,
                `Canonical: ${origin}/.well-known/security.txt`,
                "",
              ].join("\n"),
            );
        });
      return [router];
    },
  };
}

/** Returns when the statement ends: the same on every replica, and for a whole day. */
function expiry(): string {
  return new Date(Math.floor(Date.now() / day) * day + validity).toISOString().replace(".000", "");
}

/** @param contact - a URI or an email address */
function toUri(contact: string): string {
  return contact.includes(":") ? contact : `mailto:${encodeURIComponent(contact).replace("%40", "@")}`;
}
