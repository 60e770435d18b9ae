import { isDeepStrictEqual } from "node:util";
import type { Call } from "./probe.ts";
import { type Check, checkRules, withoutPage } from "./rules.ts";

const base = "/service/newsletter/api/{api}/newsletter-subscribers";
/** A sign-up with what any country requires. */
const fields = {
  ...{ salutation: "MRS", firstName: "Ada", lastName: "Beispiel", consents: ["NEWSLETTER"] },
  ...{ origin: "NEWSLETTER", originAddition: "check-upstream" },
};

/** Returns the calls below one of the two bases, with somebody's token. */
function callsOf(api: string, token = "a-token-that-nobody-has") {
  const parts = { api, token };
  const ofToken = `${base}/{token}`;
  return {
    signUp: { method: "POST", path: base, parts, body: fields },
    read: { method: "GET", path: ofToken, parts },
    change: { method: "PUT", path: ofToken, parts, body: { firstName: "Ada" } },
    confirm: { method: "PUT", path: `${ofToken}/doi`, parts },
    // As mail programs do: https://www.rfc-editor.org/rfc/rfc8058
    unsubscribe: {
      ...{ method: "POST", path: `${ofToken}/unsubscribe`, parts, body: "List-Unsubscribe=One-Click" },
      headers: { ...withoutPage, "content-type": "application/x-www-form-urlencoded" },
    },
    reportOpening: { method: "POST", path: `${ofToken}/opened`, parts, headers: withoutPage },
  };
}

export async function checkNewsletter(check: Check): Promise<void> {
  const { probe, has } = check;
  for (const api of ["internal", "private"]) {
    const { signUp, read, change, confirm, unsubscribe, reportOpening } = callsOf(api);
    await probe({ ...read, path: `${read.path}/unknown` }, "an unknown path", 404);
    const refused = { ...signUp, body: { ...fields, email: "nobody" } };
    await checkRules(check, [refused, read, change, confirm, unsubscribe, reportOpening]);
    await expectField(check, refused, "with a wrong address", 400, { type: "INVALID_EMAIL" });
    await probe({ ...signUp, body: '{ "email":' }, "with a body that isn't JSON", 400);
    await probe(signUp, "without an address", 400);
    for (const call of [read, change, confirm])
      await expectField(check, call, "with an unknown token", 404, { type: "INVALID_TOKEN" });
    await probe(unsubscribe, "with an unknown token", 404);
    await probe(reportOpening, "with an unknown token", 404);
  }
  const ofExpired = callsOf("internal", "$CHECK_TOKEN_EXPIRED");
  if (has(["CHECK_TOKEN_EXPIRED"], "an expired confirmation"))
    await expectField(check, ofExpired.confirm, "with an expired token", 410, { type: "TOKEN_EXPIRED" });
  if (has(["CHECK_TOKEN"], "confirmation, changes, opening and unsubscribing")) await checkSubscription(check);
  // Last, as it sends the next token.
  if (has(["CHECK_EMAIL"], "sign-ups")) await checkSignUps(check);
}

/** Makes a call, and checks its status and a field of the answer. */
async function expectField({ probe }: Check, call: Call, what: string, status: number, field: Record<string, string>) {
  const answer = await probe(call, what, status);
  for (const [name, expected] of Object.entries(field)) {
    const found = Object(answer?.body)[name];
    if (found !== expected) answer?.differs(`/${name}`, expected, String(found ?? "missing"));
  }
}

/** Uses the token up: its subscription is confirmed, changed and ended. */
async function checkSubscription(check: Check): Promise<void> {
  const { probe, leaveOut } = check;
  const { read, change, confirm, unsubscribe, reportOpening } = callsOf("internal", "$CHECK_TOKEN");
  const waiting = await probe(read, "with a token that waits for confirmation", 200);
  if (!waiting) return;
  if (Object(waiting.body).status !== "WAITING_FOR_DOI")
    return leaveOut(
      "confirmation, changes, opening and unsubscribing",
      "CHECK_TOKEN doesn't wait for confirmation any more",
    );
  if (!(await probe(confirm, "the first time", 200))) return;
  await probe(confirm, "the second time", 200);
  await expectField(check, read, "after the confirmation", 200, { status: "SUBSCRIBED" });
  await expectField(check, change, "of a first name", 200, change.body);
  await probe({ ...change, body: { salutation: "UNKNOWN" } }, "to an unknown salutation", 400);
  await probe(reportOpening, "of a subscriber", 200);
  if (!(await probe(unsubscribe, "by a subscriber", 200))) return;
  await probe(unsubscribe, "by a subscriber, again", 200);
  await expectField(check, read, "after unsubscribing", 200, { status: "UNSUBSCRIBED" });
}

/** Signs the test customer up twice: the second answer is that for a known address. */
async function checkSignUps({ probe }: Check): Promise<void> {
  const signUp = { ...callsOf("internal").signUp, body: { ...fields, email: "$CHECK_EMAIL" } };
  const first = await probe(signUp, "of the test account", 202);
  const second = await probe({ ...signUp, headers: { "sec-fetch-site": undefined } }, "of a known address", 202);
  if (first && second && !isDeepStrictEqual(second.body, first.body))
    second.differs("body", "the same as for any other address", "another");
}
