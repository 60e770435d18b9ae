import { isDeepStrictEqual } from "node:util";
import { offeredCategories } from "../../../client/rules/categories.ts";
import type { NewsletterPreferences } from "../../../schemas/types.ts";
import { exampleOf } from "../../upstream/service-documents.ts";
import type { Answer } from "./answers.ts";
import type { Check } from "./check.ts";
import { describe } from "./check-value.ts";

/** Checks the newsletter service: what its document can't say of a subscription from sign-up to its end. */
export async function checkNewsletter(check: Check): Promise<void> {
  const { ask, has } = check;
  const expired = { path: { token: "$CHECK_TOKEN_EXPIRED" } };
  if (has(["CHECK_TOKEN_EXPIRED"], "an expired confirmation"))
    await ask("confirmSubscription", expired, "with an expired token", 410);
  if (has(["CHECK_TOKEN_PREFERENCES"], "the subscriber's page")) await checkPreferences(check);
  if (has(["CHECK_TOKEN"], "confirmation, changes, opening and unsubscribing")) await checkSubscription(check);
  // Last, as it sends the next token.
  if (has(["CHECK_EMAIL"], "sign-ups")) await checkSignUps(check);
}

/** Uses the token up: its subscription is confirmed, changed and ended. */
async function checkSubscription({ ask, skip }: Check): Promise<void> {
  const ofToken = { path: { token: "$CHECK_TOKEN" } };
  const waiting = await ask("readSubscription", ofToken, "with a token that waits for confirmation");
  if (!waiting) return;
  if (Object(waiting.body).status !== "WAITING_FOR_DOI")
    return skip(
      "confirmation, changes, opening and unsubscribing",
      "CHECK_TOKEN doesn't wait for confirmation any more",
    );
  if (!(await ask("confirmSubscription", ofToken, "the first time"))) return;
  await ask("confirmSubscription", ofToken, "the second time");
  expectField(await ask("readSubscription", ofToken, "after the confirmation"), "status", "SUBSCRIBED");
  const change = { ...ofToken, body: { firstName: "Ada" } };
  expectField(await ask("changeSubscription", change, "of a first name"), "firstName", "Ada");
  const wrong = { ...ofToken, body: { salutation: "UNKNOWN" } };
  await ask("changeSubscription", wrong, "to an unknown salutation", 400);
  await ask("reportOpening", ofToken, "of a subscriber");
  if (!(await ask("unsubscribe", ofToken, "by a subscriber"))) return;
  await ask("unsubscribe", ofToken, "by a subscriber, again");
  expectField(await ask("readSubscription", ofToken, "after unsubscribing"), "status", "UNSUBSCRIBED");
}

/** Changes what a subscriber has chosen, and changes it back. */
async function checkPreferences({ ask, shop, site, skip }: Check): Promise<void> {
  const ofToken = { path: { token: "$CHECK_TOKEN_PREFERENCES" } };
  const found = await ask("readPreferences", ofToken, "of a subscriber", 200, 404, 405);
  if (!found?.isDescribed) return;
  if (found.status !== 200) return skip("the subscriber's page", "the service doesn't have it for this token");
  const { consents = [], categories = [] }: NewsletterPreferences = Object(found.body);
  const country = shop.countries.get(site);
  const others = country ? offeredCategories(country.newsletter).filter((one) => !categories.includes(one)) : [];
  const toggled = consents.includes("DNE") ? consents.filter((one) => one !== "DNE") : [...consents, "DNE"];
  for (const [change, what] of [
    [{ consents: toggled, categories: others }, "after a change"],
    [{ consents, categories }, "after the change back"],
  ] as const) {
    await ask("changeSubscription", { ...ofToken, body: change }, "of the subscriber's page");
    const answer = await ask("readPreferences", ofToken, what);
    for (const field of ["consents", "categories"] as const) {
      const [kept, wanted] = [Object(answer?.body)[field] ?? [], change[field]].map((list) => [list].flat().sort());
      if (!isDeepStrictEqual(kept, wanted))
        answer?.differs(`/${field}`, "must be what the subscriber has chosen", describe(kept));
    }
  }
}

function expectField(answer: Answer | undefined, name: string, expected: string): void {
  const found = Object(answer?.body)[name];
  if (found !== expected) answer?.differs(`/${name}`, `must be ${expected}`, String(found ?? "missing"));
}

/** Signs the test customer up twice: the second answer is that for a known address. */
async function checkSignUps({ ask, operations }: Check): Promise<void> {
  const { requestBody } = operations.find(({ operationId }) => operationId === "subscribe") ?? {};
  const example = Object(exampleOf(requestBody?.content["application/json"] ?? {}));
  const signUp = { body: { ...example, email: "$CHECK_EMAIL" } };
  const first = await ask("subscribe", signUp, "of the test account");
  const second = await ask("subscribe", { ...signUp, headers: { "sec-fetch-site": undefined } }, "of a known address");
  if (first && second && !isDeepStrictEqual(second.body, first.body))
    second.differs("body", "must be the same as for any other address", "another");
}
