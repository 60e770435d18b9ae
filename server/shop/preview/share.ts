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
import type { PreviewParts } from "./preview-parts.ts";

/**
 * Makes a link by which other staff preview the same.
 * @throws UnauthorizedError when nobody is signed in
 * @throws BadRequestError when they have chosen nothing, or naming `path`
 */
export async function share(
  parts: PreviewParts,
  { path, site }: ShareRequest,
  cookies: StaffCookies,
): Promise<SharedLink> {
  const now = parts.clock();
  const session = await requireSession(parts, cookies, now);
  const chosen = await parts.tokens.readContext(cookies.context, now);
  if (chosen?.session !== session.id) throw new BadRequestError("nothing is chosen to preview");
  const shared = { preview: chosen.preview, path: readPath(path, site) };
  const { token, expiresAt } = await parts.shareTokens.sign(shared, now);
  return { url: `${site.origin}${previewPath}?share=${token}`, expiresAt };
}

/** Opens what a link shows, in the session of the caller. The group of an A/B test that has ended is left out. */
export async function openShare(
  parts: PreviewParts,
  token: string | undefined,
  { cookies, secure }: StaffCaller,
): Promise<OpenedShare> {
  const now = parts.clock();
  const shared = await parts.shareTokens.read(token, now);
  if (!shared) return { status: "invalid" };
  const session = await sessionOf(parts, cookies, now);
  if (!session) return { status: "unauthorized" };
  const preview = await withActiveSelection(parts, shared.preview);
  return { status: "opened", path: shared.path, cookies: await issueContext(parts, session, preview, secure, now) };
}

/** Only what browsers make of a path themselves can't lead anywhere else. */
function readPath(path: unknown, { origin }: Site): string {
  const safe = safeRedirect(path, new URL(previewPath, origin));
  if (safe === path) return safe;
  const message = "must be a path of this site as browsers write it, such as /category/coffee?page=2";
  throw new BadRequestError(`path ${message}`, [{ field: "path", message }]);
}

async function withActiveSelection({ findTests }: PreviewParts, { at, selection }: Preview): Promise<Preview> {
  return selection && isActive(await findTests(at), selection) ? { at, selection } : { at };
}

function isActive(tests: readonly AbTest[], { test, group }: NonNullable<Preview["selection"]>): boolean {
  return tests.some(({ name, groups }) => name === test && groups.some((one) => one.name === group));
}
