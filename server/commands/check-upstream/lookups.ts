import { salutations } from "../../../client/rules/salutations.ts";
import { second } from "../../../client/rules/time.ts";
import { refuseBrokenLetters } from "../../platform/broken-letters.ts";
import { createValidator } from "../../platform/validate.ts";
import { checkSiteContent } from "../../sites/site-content.ts";
import { checkValue, parseJson, reportFaults } from "./answers.ts";
import { type Check, checkRules, unknownStaff } from "./rules.ts";

const customers = "/service/newsletter/api/private/customers";
const baseData = { method: "GET", path: `${customers}/base-data` };
const newsletterStatus = { method: "GET", path: `${customers}/newsletter-status` };
const knownEmail = { method: "GET", path: "/service/customerfrontenddata/api/v1/psdata" };
const unknownToken = { headers: { "x-login-token": "unknown" } };
const isText = (value: unknown) => typeof value === "string";
const isConsent = (value: unknown) => value === "DNE" || value === "NEWSLETTER";
/** What forms take of a customer, beside the address. They leave out anything else, so the document allows it. */
const formFields: [name: string, expected: string, isTaken: (value: unknown) => boolean][] = [
  ["salutation", salutations.join(", "), (value) => salutations.some((known) => known === value)],
  ["firstName", "a text", isText],
  ["lastName", "a text", isText],
  ["consents", "a list of DNE and NEWSLETTER", (value) => Array.isArray(value) && value.every(isConsent)],
];

const abTests = "/service/abtestfrontend/api/v1";
// The time limits are those within which the service waits for the answer itself.
const testsAt = { method: "GET", path: `${abTests}/gettestsat`, within: 5 * second };
const assignment = { method: "GET", path: `${abTests}/getassignment` };
const content = { method: "GET", path: "/service/footercontent/api/v1/content/{site}", within: 2 * second };
const promotion = { method: "GET", path: "/service/promotion/api/promotion/{key}", within: 2 * second };
const validatePromotion = refuseBrokenLetters(createValidator("promotion"));

export async function checkCustomer(check: Check): Promise<void> {
  const { probe, has, leaveOut, signIn, variables } = check;
  await probe({ method: "GET", path: `${customers}/unknown` }, "an unknown path", 404);
  await checkRules(check, [baseData, newsletterStatus, knownEmail]);
  for (const call of [baseData, newsletterStatus]) {
    await probe(call, "without a token", 401);
    await probe({ ...call, ...unknownToken }, "with an unknown token", 401);
  }
  for (const call of [knownEmail, { ...knownEmail, ...unknownToken }]) {
    const answer = await probe(call, "for a stranger", 200);
    if (Object(answer?.body).email) answer?.differs("/email", "missing", "an address");
  }

  const what = "the answers for a customer";
  if (!has(["CHECK_EMAIL", "CHECK_PASSWORD"], what)) return;
  const jar = await signIn();
  if (!jar?.login) return leaveOut(what, "the login service at UPSTREAM_LOGIN_URL, or else here, signs nobody in");
  await probe({ ...newsletterStatus, jar }, "for a customer", 200);
  for (const call of [baseData, knownEmail]) {
    const answer = await probe({ ...call, jar }, "for a customer", 200);
    const { email, ...fields } = Object(answer?.body);
    if (answer && String(email).toLowerCase() !== variables.CHECK_EMAIL?.toLowerCase())
      answer.differs("/email", "$CHECK_EMAIL", email === undefined ? "missing" : "another");
    for (const [name, expected, isTaken] of formFields)
      if (fields[name] != null && !isTaken(fields[name])) answer?.differs(`/${name}`, expected, "something else");
  }
}

export async function checkAbTests(check: Check): Promise<void> {
  const { probe } = check;
  await probe({ method: "GET", path: `${abTests}/unknown` }, "an unknown path", 404);
  await checkRules(check, [testsAt, assignment]);
  for (const time of ["2026-12-24T18:00:00.000Z", "2026-12-24T19:00:00+01:00"])
    await probe({ ...testsAt, query: { time } }, `at ${time}`, 200);
  await probe({ ...testsAt, query: { time: "tomorrow" } }, "at a wrong time", 400);
  await probe(assignment, "of a visitor", 200);
}

/** Checks the contents of all sites. No browser makes this call, so that the rules of other calls don't hold for it. */
export async function checkContent({ probe, shop }: Check): Promise<void> {
  await probe({ ...content, parts: { site: "UNKNOWN" } }, "of an unknown site", 404);
  for (const site of shop.countries.sites) {
    const ofSite = { ...content, parts: { site: site.site } };
    await probe({ ...ofSite, headers: unknownStaff }, `of ${site.site} with unknown cookies`, 200, 404);
    const answer = await probe(ofSite, `of ${site.site}`, 200, 404);
    if (answer?.status !== 200 || !answer.isDescribed) continue;
    const checked = checkSiteContent(shop, site, answer.body, "");
    if (!checked.valid) reportFaults(checked.faults, answer.body, answer.differs);
  }
}

export async function checkPromotion(check: Check): Promise<void> {
  const { probe, shop } = check;
  const ofFooter = { ...promotion, parts: { key: "SHOP_FOOTER" } };
  await checkRules(check, [ofFooter]);
  await probe({ ...promotion, parts: { key: "UNKNOWN" } }, "of an unknown place", 404);
  await probe({ ...ofFooter, headers: unknownStaff }, "with unknown cookies", 200, 404);
  for (const { site } of shop.countries.sites) {
    const answer = await probe({ ...ofFooter, headers: { "x-site": site } }, `of ${site}`, 200, 404);
    const { contentJSON } = Object(answer?.body);
    if (answer?.status !== 200 || typeof contentJSON !== "string") continue;
    const shown = parseJson(contentJSON);
    if (shown === undefined) answer.differs("/contentJSON", "valid JSON", "something else");
    else checkValue(shown, validatePromotion, answer.differs, "/contentJSON");
  }
}
