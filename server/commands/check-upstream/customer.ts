import { salutations } from "../../../client/rules/salutations.ts";
import type { Check } from "./check.ts";
import { checkRules } from "./rules-of-every-call.ts";

const base = "/service/newsletter/api/private/customers";
const baseData = { method: "GET", path: `${base}/base-data` };
const newsletterStatus = { method: "GET", path: `${base}/newsletter-status` };
const knownEmail = { method: "GET", path: "/service/customerfrontenddata/api/v1/psdata" };
const isText = (value: unknown) => typeof value === "string";
const isConsent = (value: unknown) => value === "DNE" || value === "NEWSLETTER";
/** What forms take of a customer, beside the address. They leave out anything else, so the document allows it. */
const formFields: [name: string, expected: string, isTaken: (value: unknown) => boolean][] = [
  ["salutation", salutations.join(", "), (value) => salutations.some((known) => known === value)],
  ["firstName", "a text", isText],
  ["lastName", "a text", isText],
  ["consents", "a list of DNE and NEWSLETTER", (value) => Array.isArray(value) && value.every(isConsent)],
];
const unknown = { headers: { "x-login-token": "unknown" } };

export async function checkCustomer(check: Check): Promise<void> {
  const { probe, has, leaveOut, signIn, variables } = check;
  await probe({ method: "GET", path: `${base}/unknown` }, "an unknown path", 404);
  await checkRules(check, [baseData, newsletterStatus, knownEmail]);
  for (const call of [baseData, newsletterStatus]) {
    await probe(call, "without a token", 401);
    await probe({ ...call, ...unknown }, "with an unknown token", 401);
  }
  for (const call of [knownEmail, { ...knownEmail, ...unknown }]) {
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
