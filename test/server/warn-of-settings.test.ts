import { expect, it } from "vitest";
import type { Env } from "../../server/env.ts";
import { warnOfSettings } from "../../server/warn-of-settings.ts";
import { createTestApp } from "../support/test-app.ts";
import { createTestLog } from "../support/test-log.ts";

const { deps } = await createTestApp({ demo: false });
const complete = {
  ...{ smtpUrl: "smtp://mail.internal", trustProxy: ["10.0.0.0/8"], mailFrom: "news@shop.internal" },
  ...{ misspelled: [], set: new Set<string>() },
};
const newsletter = "http://newsletter.internal";
const customer = "http://customers.internal";
const login = "http://login.internal";

const filled = {
  site: "DE",
  locale: "de-DE",
  origin: "https://www.shop.internal",
  missingConsentTexts: [],
  imprint: { address: "Musterweg 1, 20095 Hamburg", register: "Amtsgericht Hamburg, HRB 1", url: "/service/imprint" },
  newsletter: { sender: "Shop GmbH" },
};

/** What the service warns of when it starts with an environment. */
function warningsOf(changes: Partial<Env>) {
  const { logger, lines } = createTestLog();
  warnOfSettings({ ...deps, ...complete, ...changes }, [filled], [], logger);
  expect(lines.every(({ level }) => level === 40)).toBe(true);
  return lines;
}

it("the start warns, outside of production, of that for which it is refused there", () => {
  const refused = [expect.objectContaining({ faults: [expect.stringMatching(/^environment: SMTP_URL /)] })];
  expect(warningsOf({})).toEqual([]);
  expect(warningsOf({ smtpUrl: undefined })).toEqual(refused);
  expect(warningsOf({ smtpUrl: undefined, production: true })).toEqual([]);
});

it("the start warns, in the demo, of what nobody can want there either", () => {
  const demo = { demo: true, smtpUrl: undefined, trustProxy: [] };
  const misspelled = [{ name: "TRUST_PROXI", meant: "TRUST_PROXY" }];
  expect(warningsOf(demo)).toEqual([]);
  expect(warningsOf({ ...demo, upstreams: { login }, misspelled }).flatMap(({ faults }) => faults)).toEqual([
    expect.stringMatching(/^environment: UPSTREAM_CUSTOMER_URL must be set beside UPSTREAM_LOGIN_URL: /),
    expect.stringMatching(/^environment: TRUST_PROXI is not known: .* TRUST_PROXY/),
  ]);
});

it.each([true, false])(
  "the start warns of a real customer service that can't know who has signed in here, demo: %s",
  (demo) => {
    const upstreams = { newsletter, customer };
    expect(warningsOf({ demo, upstreams })).toEqual([
      expect.objectContaining({
        msg: expect.stringMatching(/^UPSTREAM_LOGIN_URL isn't set beside UPSTREAM_CUSTOMER_URL/),
      }),
    ]);
    expect(warningsOf({ demo, upstreams: { ...upstreams, login } })).toEqual([]);
  },
);

it("the start names, outside of the demo, what of a country the shop has to fill in", () => {
  const site = { ...filled, newsletter: { sender: "Shop ‹Rechtsform›" } };
  const blanksOf = (changes: Partial<Env>) => {
    const { logger, lines } = createTestLog();
    warnOfSettings({ ...deps, ...complete, ...changes }, [site, { ...site, ...filled }], [], logger);
    return lines.map(({ level, fields }) => [level, fields]);
  };
  expect(blanksOf({})).toEqual([[40, ["DE/newsletter/sender"]]]);
  expect(blanksOf({ demo: true })).toEqual([]);
});

it("the start warns once of a site that lacks texts of its newsletter's consent, and names them", () => {
  const { logger, lines } = createTestLog();
  const keys = ["legal.consent", "legal.age"];
  const site = {
    ...filled,
    ...{ site: "PL", locale: "pl-PL" },
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
