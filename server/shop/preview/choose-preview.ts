import type { Moment } from "../../../client/rules/time.ts";
import { parseTime } from "../../parse-time.ts";
import type { InvalidFields } from "../../services/failed.ts";
import type { ChooseResult, Preview, PreviewRequest, StaffCaller } from "../../services/preview-service.ts";
import { writeStaffCookies } from "../../services/staff-cookies.ts";
import type { ActiveTest } from "../abtests/find-active-tests.ts";
import { issueContext, sessionOf } from "./presented-session.ts";
import type { PreviewParts } from "./preview-parts.ts";

/** Chooses a time and a group of an A/B test that is active then, or leaves the preview. */
export async function choosePreview(
  parts: PreviewParts,
  { previewDateTime, test, group, leave }: PreviewRequest,
  { cookies, secure }: StaffCaller,
): Promise<ChooseResult> {
  const now = parts.clock();
  const session = await sessionOf(parts, cookies, now);
  if (!session) return { status: "unauthorized" };
  if (leave) return { status: "chosen", cookies: writeStaffCookies({ context: null }, { secure }) };
  const at = chosenTime(parts, previewDateTime, now);
  const chosen = await chooseSelection(parts, { test, group }, at);
  if (chosen.status === "invalid") return chosen;
  const preview = { at, ...(chosen.selection && { selection: chosen.selection }) };
  return { status: "chosen", cookies: await issueContext(parts, session, preview, secure, now) };
}

function chosenTime({ logger }: PreviewParts, time: unknown, now: Moment): Moment {
  const read = typeof time === "string" ? parseTime(time) : undefined;
  if (read === undefined)
    logger.warn("previewDateTime isn't an ISO 8601 time with an offset: the current time is used");
  return read ?? now;
}

async function chooseSelection(
  { findTests }: PreviewParts,
  { test, group }: Pick<PreviewRequest, "test" | "group">,
  at: Moment,
): Promise<{ status: "valid"; selection: Preview["selection"] } | InvalidFields> {
  if (isNone(test) && isNone(group)) return { status: "valid", selection: undefined };
  const groups = groupsOf(await findTests(at), test);
  if (typeof test !== "string" || !groups) return invalid("test", "must be an A/B test that is active at that time");
  if (typeof group !== "string" || !groups.includes(group)) return invalid("group", "must be a group of the A/B test");
  return { status: "valid", selection: { test, group } };
}

function isNone(value: unknown): boolean {
  return value === undefined || value === "";
}

function groupsOf(tests: readonly ActiveTest[], name: unknown): string[] | undefined {
  return tests.find((test) => test.name === name)?.groups.map((group) => group.name);
}

function invalid(field: string, message: string): InvalidFields {
  return { status: "invalid", faults: [{ field, message }] };
}
