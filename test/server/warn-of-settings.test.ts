import { expect, it } from "vitest";
import type { Env } from "../../server/env.ts";
import { warnOfSettings } from "../../server/warn-of-settings.ts";
import { createTestApp } from "../support/test-app.ts";
import { createTestLog } from "../support/test-log.ts";

const { deps } = await createTestApp({ demo: false });
const complete = { smtpUrl: "smtp://mail.internal", trustProxy: ["10.0.0.0/8"] };
const newsletter = "http://newsletter.internal";
const customer = "http://customers.internal";

const filled = {
  site: "DE",
  locale: "de-DE",
  missingConsentTexts: [],
  imprint: { address: "Musterweg 1, 20095 Hamburg", register: "Amtsgericht Hamburg, HRB 1", url: "/service/imprint" },
  newsletter: { sender: "Shop GmbH" },
};

/** The variables that the service warns of when it starts with an environment. */
function warnedOf(changes: Partial<Env>, origin = "https://www.shop.example"): string[] {
  const { logger, lines } = createTestLog();
  warnOfSettings({ ...deps, ...complete, ...changes }, [{ ...filled, origin }], [], logger);
  expect(lines.every(({ level }) => level === 40)).toBe(true);
  return lines.map(({ msg }) => String(msg).split(" ")[0] ?? "");
}

it("the start warns, outside of the demo, of what a shop in production needs and hasn't", () => {
  expect(warnedOf({})).toEqual([]);
  expect(warnedOf({ smtpUrl: undefined })).toEqual(["SMTP_URL"]);
  expect(warnedOf({ smtpUrl: undefined, upstreams: { newsletter, customer } })).toEqual([]);
  expect(warnedOf({ trustProxy: [] })).toEqual(["TRUST_PROXY"]);
  expect(warnedOf({ trustProxy: [] }, "http://de.localhost:3000")).toEqual([]);
  expect(warnedOf({ smtpUrl: undefined, trustProxy: [], demo: true })).toEqual([]);
});

it("the start names, outside of the demo, what of a country the shop has to fill in", () => {
  const site = { ...filled, origin: "https://www.shop.example", newsletter: { sender: "Shop ‹Rechtsform›" } };
  const blanksOf = (changes: Partial<Env>) => {
    const { logger, lines } = createTestLog();
    warnOfSettings({ ...deps, ...complete, ...changes }, [site, { ...site, ...filled }], [], logger);
    return lines.map(({ level, fields }) => [level, fields]);
  };
  expect(blanksOf({})).toEqual([[40, ["DE/newsletter/sender"]]]);
  expect(blanksOf({ demo: true })).toEqual([]);
});

it("the start warns, in the demo, too, of a real service of which the embedded customer service can't know", () => {
  for (const upstreams of [{ newsletter }, { login: "http://login.internal" }])
    for (const demo of [true, false]) {
      expect(warnedOf({ demo, upstreams })).toEqual(["UPSTREAM_CUSTOMER_URL"]);
      expect(warnedOf({ demo, upstreams: { ...upstreams, customer } })).toEqual([]);
    }
});

it("the start warns once of a site that lacks texts of its newsletter's consent, and names them", () => {
  const { logger, lines } = createTestLog();
  const keys = ["legal.consent", "legal.age"];
  const site = {
    ...filled,
    ...{ site: "PL", locale: "pl-PL", origin: "http://pl.localhost" },
    missingConsentTexts: keys,
  };
  warnOfSettings({ ...deps, ...complete }, [site], [], logger);
  expect(lines).toEqual([expect.objectContaining({ level: 40, site: "PL", locale: "pl-PL", keys })]);
});

it("the start warns once of all that is still to be done for the countries, and counts it", () => {
  const { logger, lines } = createTestLog();
  const gaps = ["SI /imprint is still another country's", "locales/sl-SI/page.json title is missing"];
  warnOfSettings({ ...deps, ...complete }, [], gaps, logger);
  expect(lines).toEqual([expect.objectContaining({ level: 40, count: 2, gaps })]);
});
