import { BadRequestError } from "../../errors.ts";
import { parseTime } from "../../parse-time.ts";
import type { Preview, PreviewRequest, StaffCaller } from "../../services/preview-service.ts";
import { writeStaffCookies } from "../../services/staff-cookies.ts";
import type { AbTest } from "../abtests/find-active-tests.ts";
import { issueContext, requireSession } from "./presented-session.ts";
import type { PreviewParts } from "./preview-parts.ts";

/**
 * Chooses what to preview: a time, and a group of an A/B test that is active then; or leaves the preview.
 * @returns values of Set-Cookie headers
 * @throws UnauthorizedError when nobody is signed in
 * @throws BadRequestError naming `test` or `group`
 */
export async function choose(
  parts: PreviewParts,
  { previewDateTime, test, group, leave }: PreviewRequest,
  { cookies, secure }: StaffCaller,
): Promise<string[]> {
  const now = parts.clock();
  const session = await requireSession(parts, cookies, now);
  if (leave) return writeStaffCookies({ context: null }, { secure });
  const at = readTime(parts, previewDateTime, now);
  const selection = await readSelection(parts, { test, group }, at);
  return issueContext(parts, session, { at, ...(selection && { selection }) }, secure, now);
}

function readTime({ logger }: PreviewParts, time: unknown, now: number): Date {
  const read = typeof time === "string" ? parseTime(time) : undefined;
  if (!read) logger.warn("previewDateTime isn't an ISO 8601 time with an offset: the current time is used");
  return read ?? new Date(now);
}

async function readSelection(
  { findTests }: PreviewParts,
  { test, group }: Pick<PreviewRequest, "test" | "group">,
  at: Date,
): Promise<Preview["selection"]> {
  if (isNone(test) && isNone(group)) return undefined;
  const groups = groupsOf(await findTests(at), test);
  if (typeof test !== "string" || !groups) throw fault("test", "must be an A/B test that is active at that time");
  if (typeof group !== "string" || !groups.includes(group)) throw fault("group", "must be a group of the A/B test");
  return { test, group };
}

function isNone(value: unknown): boolean {
  return value === undefined || value === "";
}

function groupsOf(tests: readonly AbTest[], name: unknown): string[] | undefined {
  return tests.find((test) => test.name === name)?.groups.map((group) => group.name);
}

function fault(field: string, message: string): BadRequestError {
  return new BadRequestError(`${field} ${message}`, [{ field, message }]);
}
