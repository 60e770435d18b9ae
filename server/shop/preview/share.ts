import { safeRedirect } from "../../../client/rules/safe-redirect.ts";
import { BadRequestError } from "../../errors.ts";
import {
  type OpenedShare,
  type Preview,
  previewPath,
  type SharedLink,
  type ShareRequest,
  type StaffCaller,
  type StaffCookies,
} from "../../services/preview-service.ts";
import type { Site } from "../../sites/countries.ts";
import type { AbTest } from "../abtests/find-active-tests.ts";
import { issueContext, requireSession, sessionOf } from "./presented-session.ts";
import type { PreviewContext } from "./preview-context.ts";

/**
 * Makes a link by which other staff preview the same.
 * @throws UnauthorizedError when nobody is signed in
 * @throws BadRequestError when they have chosen nothing, or naming `path`
 */
export async function share(
  context: PreviewContext,
  { path, site }: ShareRequest,
  cookies: StaffCookies,
): Promise<SharedLink> {
  const now = context.clock();
  const session = await requireSession(context, cookies, now);
  const chosen = await context.tokens.readContext(cookies.context, now);
  if (chosen?.session !== session.id) throw new BadRequestError("nothing is chosen to preview");
  const shared = { preview: chosen.preview, path: readPath(path, site) };
  const { token, expiresAt } = await context.shareTokens.sign(shared, now);
  return { url: `${site.origin}${previewPath}?share=${token}`, expiresAt };
}

/** Opens what a link shows, in the session of the caller. The group of an A/B test that has ended is left out. */
export async function openShare(
  context: PreviewContext,
  token: string | undefined,
  { cookies, secure }: StaffCaller,
): Promise<OpenedShare> {
  const now = context.clock();
  const shared = await context.shareTokens.read(token, now);
  if (!shared) return { status: "invalid" };
  const session = await sessionOf(context, cookies, now);
  if (!session) return { status: "unauthorized" };
  const preview = await withActiveSelection(context, shared.preview);
  return { status: "opened", path: shared.path, cookies: await issueContext(context, session, preview, secure, now) };
}

/** Only what browsers make of a path themselves can't lead anywhere else. */
function readPath(path: unknown, { origin }: Site): string {
  const safe = safeRedirect(path, new URL(previewPath, origin));
  if (safe === path) return safe;
  const message = "must be a path of this site as browsers write it, such as /category/coffee?page=2";
  throw new BadRequestError(`path ${message}`, [{ field: "path", message }]);
}

async function withActiveSelection({ findTests }: PreviewContext, { at, selection }: Preview): Promise<Preview> {
  return selection && isActive(await findTests(at), selection) ? { at, selection } : { at };
}

function isActive(tests: readonly AbTest[], { test, group }: NonNullable<Preview["selection"]>): boolean {
  return tests.some(({ name, groups }) => name === test && groups.some((one) => one.name === group));
}
