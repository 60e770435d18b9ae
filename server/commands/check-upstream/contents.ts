import { staffCookieNames } from "../../http/cookies.ts";
import { refuseBrokenLetters } from "../../platform/broken-letters.ts";
import { createValidator } from "../../platform/validate.ts";
import { checkSiteContent } from "../../sites/site-content.ts";
import type { Check } from "./check.ts";
import { checkValue, parseJson, reportFaults } from "./check-value.ts";
import { unknownCookie } from "./documented-call.ts";

const validatePromotion = refuseBrokenLetters(createValidator("promotion"));
/** Staff whom no service knows. */
const unknownStaff = Object.fromEntries(staffCookieNames.map((name) => [name, unknownCookie]));

/** A group of an A/B test that no service knows. */
const unknownGroup = { test: "unknown", group: "unknown" };

/** Checks what the footers of all sites promote. */
export async function checkPromotion({ ask, shop }: Check): Promise<void> {
  for (const { site } of shop.countries.sites) {
    const headers = { "x-site": site };
    const answer = await ask("findPromotion", { headers }, `of ${site}`);
    if (answer)
      await ask("findPromotion", { headers, query: unknownGroup }, `of ${site} for an unknown group`, answer.status);
    const { contentJSON } = Object(answer?.body);
    if (answer?.status !== 200 || typeof contentJSON !== "string") continue;
    const shown = parseJson(contentJSON);
    if (shown === undefined) answer.differs("/contentJSON", "must be valid JSON", "something else");
    else checkValue(shown, validatePromotion, answer.differs, "/contentJSON");
  }
}

/** Checks the contents of the footers of all sites, by the rules of country files. */
export async function checkContent({ ask, shop }: Check): Promise<void> {
  for (const site of shop.countries.sites) {
    const path = { site: site.site };
    await ask("findContent", { path, jar: unknownStaff }, `of ${site.site} with unknown cookies`);
    const answer = await ask("findContent", { path }, `of ${site.site}`);
    if (answer?.status !== 200) continue;
    const checked = checkSiteContent(shop, site, answer.body, "");
    if (!checked.valid) reportFaults(checked.faults, answer.body, answer.differs);
  }
}
