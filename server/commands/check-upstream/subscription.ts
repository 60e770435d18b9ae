import { isDeepStrictEqual } from "node:util";
import { exampleOf } from "../../upstream/service-documents.ts";
import type { Answer } from "./answers.ts";
import type { Check } from "./check.ts";

/** Checks the newsletter service: what its document can't say of a subscription from sign-up to its end. */
export async function checkNewsletter(check: Check): Promise<void> {
  const { ask, has } = check;
  const expired = { path: { token: "$CHECK_TOKEN_EXPIRED" } };
  if (has(["CHECK_TOKEN_EXPIRED"], "an expired confirmation"))
    await ask("confirmSubscription", expired, "with an expired token", 410);
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
