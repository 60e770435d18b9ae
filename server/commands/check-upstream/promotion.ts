import { second } from "../../../client/rules/time.ts";
import { createValidator } from "../../platform/validate.ts";
import { type Answer, checkValue, parseJson } from "./answer.ts";
import type { Check } from "./check.ts";
import { checkRules } from "./rules-of-every-call.ts";

/** Within the time that the service's start waits for it. */
const promotion = { method: "GET", path: "/service/promotion/api/promotion/{key}", within: 2 * second };
const unknown = { cookie: "StaffAuthToken=unknown; CobraAuthToken=unknown; PreviewContext=unknown" };
const validate = createValidator("promotion", "answers");

export async function checkPromotion(check: Check): Promise<void> {
  const { probe, shop } = check;
  const ofFooter = { ...promotion, parts: { key: "SHOP_FOOTER" } };
  await checkRules(check, [ofFooter]);
  await probe({ ...promotion, parts: { key: "UNKNOWN" } }, "of an unknown place", 404);
  await probe({ ...ofFooter, headers: unknown }, "with unknown cookies", 200, 404);
  for (const { site } of shop.countries.sites) {
    const answer = await probe({ ...ofFooter, headers: { "x-site": site } }, `of ${site}`, 200, 404);
    if (answer?.status === 200) checkContent(answer);
  }
}

/** Checks the promotion in an answer, which is JSON in a text. */
function checkContent({ body, differs }: Answer): void {
  const { contentJSON } = Object(body);
  if (typeof contentJSON !== "string") return;
  const content = parseJson(contentJSON);
  if (content === undefined) differs("/contentJSON", "valid JSON", "something else");
  else checkValue(content, validate, differs, "/contentJSON");
}
