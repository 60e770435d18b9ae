import type { Check } from "./check.ts";
import { unknownCookie } from "./documented-call.ts";

/** Checks whose data the customer service returns. */
export async function checkCustomer(check: Check): Promise<void> {
  const { ask, has, signIn, skip, variables } = check;
  for (const jar of [{}, { login: unknownCookie }]) {
    const answer = await ask("readKnownEmail", { jar }, "for a stranger");
    if (Object(answer?.body).email) answer?.differs("/email", "must be missing for strangers", "an address");
  }
  const what = "the answers for a customer";
  if (!has(["CHECK_EMAIL", "CHECK_PASSWORD"], what)) return;
  const jar = await signIn();
  if (!jar?.login) return skip(what, "the login service at UPSTREAM_LOGIN_URL, or else here, signs nobody in");
  await ask("readNewsletterStatus", { jar }, "for a customer");
  for (const id of ["readCustomer", "readKnownEmail"]) {
    const answer = await ask(id, { jar }, "for a customer");
    const { email } = Object(answer?.body);
    // If the document requires an address, a missing one is reported already.
    if (!answer || (email === undefined && !answer.isDescribed)) continue;
    if (String(email).toLowerCase() !== variables.CHECK_EMAIL?.toLowerCase())
      answer.differs("/email", "must be $CHECK_EMAIL", email === undefined ? "missing" : "another");
  }
}
