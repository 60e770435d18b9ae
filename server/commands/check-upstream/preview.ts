import { second } from "../../../client/rules/time.ts";
import { ownStaffCookies } from "../../http/staff-cookies.ts";
import { parseTime } from "../../platform/time.ts";
import type { Check } from "./check.ts";
import type { Jar } from "./probe.ts";
import { checkRules } from "./rules-of-every-call.ts";
import { checkCookies, checkRemoval, keep, namesOfSet } from "./session-cookies.ts";
import { checkWrongSignIns, inventAddress } from "./wrong-sign-ins.ts";

const base = "/service/preview/api";
const login = { method: "POST", path: `${base}/auth/login` };
// Pages wait for it no longer.
const checkAuth = { method: "GET", path: `${base}/auth/checkauth`, within: second };
const renew = { method: "POST", path: `${base}/auth/login/renew` };
const logout = { method: "POST", path: `${base}/auth/logout` };
const previewDateTime = "2026-12-24T18:00:00.000Z";
const choose = { method: "POST", path: `${base}/token`, body: { previewDateTime } };
/** What this project adds: without it, the panel offers no jumps and no links. */
const additions = [
  { method: "GET", path: `${base}/changes`, query: { after: previewDateTime } },
  { method: "POST", path: `${base}/share`, body: { path: "/" } },
];

const account = ["CHECK_STAFF_USER", "CHECK_STAFF_PASSWORD"];
const right = { user: "$CHECK_STAFF_USER", password: "$CHECK_STAFF_PASSWORD" };
const unknown = { headers: { cookie: "StaffAuthToken=unknown; CobraAuthToken=unknown; PreviewContext=unknown" } };

export async function checkPreview(check: Check): Promise<void> {
  const { probe, has } = check;
  await probe({ method: "GET", path: `${base}/unknown` }, "an unknown path", 404);
  const ofStranger = { ...login, body: { user: inventAddress(), password: "wrong" } };
  await checkRules(check, [ofStranger, checkAuth, renew, logout, choose]);
  for (const call of [checkAuth, renew, choose]) {
    await probe(call, "without cookies", 401);
    await probe({ ...call, ...unknown }, "with unknown cookies", 401);
  }
  await probe(logout, "without cookies", 200);
  await checkWrongSignIns(check, login, "user");
  if (!has(account, "sign-in, preview and logout of staff")) return;
  await probe({ ...login, body: { ...right, password: "wrong" } }, "with a wrong password", 401);
  await checkSession(check);
}

async function checkSession(check: Check): Promise<void> {
  const { probe, leaveOut } = check;
  const signedIn = await probe({ ...login, body: right }, "by staff", 200);
  if (!signedIn) return;
  checkCookies(check, signedIn, ["preview", "StaffAuthToken", "CobraAuthToken"], ["preview"]);
  let jar = keep({}, signedIn);
  if (!jar.StaffAuthToken || !jar.CobraAuthToken)
    return leaveOut("preview and logout of staff", "the sign-in doesn't set both credentials");
  await probe({ ...checkAuth, jar }, "by staff", 200);
  for (const times of ["once", "again at once"]) {
    const renewed = await probe({ ...renew, jar }, `${times}, by staff`, 200);
    if (!renewed) break;
    const names = namesOfSet(renewed, ownStaffCookies);
    if (names.length > 0) checkCookies(check, renewed, names, ["preview"]);
    jar = keep(jar, renewed);
  }

  const chosen = await probe({ ...choose, jar }, "a time", 200);
  if (chosen) {
    checkCookies(check, chosen, ["PreviewContext"]);
    jar = keep(jar, chosen);
    await checkTime(probe, jar);
  }
  for (const call of additions) {
    const answer = await probe({ ...call, jar }, "by staff", 200, 404);
    if (answer?.status === 404) leaveOut(`${call.method} ${call.path}`, "the service doesn't have it");
  }
  await probe({ ...choose, jar, query: { test: "unknown", group: "unknown" } }, "an unknown test", 400);

  const loggedOut = await probe({ ...logout, jar }, "by staff", 200);
  if (!loggedOut) return;
  checkRemoval(loggedOut, jar, ownStaffCookies);
  await probe({ ...checkAuth, jar }, "after the logout", 401);
}

async function checkTime(probe: Check["probe"], jar: Jar): Promise<void> {
  const found = await probe({ ...checkAuth, jar }, "after the choice of a time", 200);
  const { dateTime } = Object(found?.body);
  if (found && (typeof dateTime !== "string" || parseTime(dateTime) !== parseTime(previewDateTime)))
    found.differs("/dateTime", previewDateTime, String(dateTime));
}
