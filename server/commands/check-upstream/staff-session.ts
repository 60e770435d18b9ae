import { parseTime } from "../../platform/time.ts";
import type { Check } from "./check.ts";
import { expectCookie, keep } from "./cookies.ts";
import { checkLogout, checkWrongSignIns } from "./sessions.ts";

const account = { user: "$CHECK_STAFF_USER", password: "$CHECK_STAFF_PASSWORD" };
const previewDateTime = "2026-12-24T18:00:00.000Z";

/** Checks the preview service: what its document can't say of wrong sign-ins, and of a session from sign-in to logout. */
export async function checkPreview(check: Check): Promise<void> {
  const { ask, has } = check;
  await checkWrongSignIns(check, "loginStaff", "user");
  if (!has(["CHECK_STAFF_USER", "CHECK_STAFF_PASSWORD"], "sign-in, preview and logout of staff")) return;
  await ask("loginStaff", { body: { ...account, password: "wrong" } }, "with a wrong password", 401);
  await checkSession(check);
}

async function checkSession(check: Check): Promise<void> {
  const { ask, operations, skip } = check;
  const signedIn = await ask("loginStaff", { body: account }, "by staff");
  if (!signedIn) return;
  let jar = keep({}, signedIn.cookies);
  if (!jar.StaffAuthToken || !jar.CobraAuthToken)
    return skip("preview and logout of staff", "the sign-in doesn't set both credentials");
  await ask("checkStaff", { jar }, "by staff");
  for (const times of ["once", "again at once"]) {
    const renewed = await ask("renewStaff", { jar }, `${times}, by staff`);
    if (!renewed) break;
    jar = keep(jar, renewed.cookies);
  }

  const chosen = await ask("choosePreview", { jar, body: { previewDateTime } }, "a time");
  if (chosen) {
    expectCookie(chosen.cookies, "PreviewContext", chosen.differs);
    jar = keep(jar, chosen.cookies);
    const found = await ask("checkStaff", { jar }, "after the choice of a time");
    const dateTime = String(Object(found?.body).dateTime);
    if (parseTime(dateTime) !== parseTime(previewDateTime))
      found?.differs("/dateTime", `must be ${previewDateTime}`, dateTime);
  }
  for (const { operationId, method, path } of operations.filter((operation) => operation["x-optional"])) {
    const answer = await ask(operationId, { jar }, "by staff");
    if (answer?.status === 404) skip(`${method} ${path}`, "the service doesn't have it");
  }
  const query = { test: "unknown", group: "unknown" };
  await ask("choosePreview", { jar, query }, "an unknown test", 400);

  const loggedOut = await ask("logoutStaff", { jar }, "by staff");
  if (!loggedOut) return;
  checkLogout(loggedOut, jar);
  await ask("checkStaff", { jar }, "after the logout", 401);
}
