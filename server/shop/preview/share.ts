import { safeRedirect } from "../../../client/rules/safe-redirect.ts";
import {
  type OpenedShare,
  type Preview,
  previewPath,
  type ShareRequest,
  type ShareResult,
  type StaffCaller,
  type StaffCookies,
} from "../../services/preview-service.ts";
import type { Site } from "../../sites/countries.ts";
import type { ActiveTest } from "../abtests/find-active-tests.ts";
import { issueContext, sessionOf } from "./presented-session.ts";
import type { PreviewParts } from "./preview-parts.ts";

const pathRule = "must be a path of this site as browsers write it, such as /category/coffee?page=2";

/** Makes a link by which other staff preview the same. */
export async function share(
  parts: PreviewParts,
  { path, site }: ShareRequest,
  cookies: StaffCookies,
): Promise<ShareResult> {
  const now = parts.clock();
  const session = await sessionOf(parts, cookies, now);
  if (!session) return { status: "unauthorized" };
  const chosen = await parts.tokens.readContext(cookies.context, now);
  if (chosen?.session !== session.id) return { status: "nothingChosen" };
  const { preview } = chosen;
  const safe = safePath(path, site);
  if (safe === undefined) return { status: "invalid", faults: [{ field: "path", message: pathRule }] };
  const { token, expiresAt } = await parts.shareTokens.sign({ preview, path: safe }, now);
  return { status: "shared", url: `${site.origin}${previewPath}?share=${token}`, expiresAt };
}

/** Opens what a link shows, in the session of the caller. The group of an A/B test that has ended is left out. */
export async function openShare(
  parts: PreviewParts,
  token: string | undefined,
  { cookies, secure }: StaffCaller,
): Promise<OpenedShare> {
  const now = parts.clock();
  const shared = await parts.shareTokens.read(token, now);
  if (!shared) return { status: "badLink" };
  const session = await sessionOf(parts, cookies, now);
  if (!session) return { status: "unauthorized" };
  const preview = await withActiveSelection(parts, shared.preview);
  return { status: "opened", path: shared.path, cookies: await issueContext(parts, session, preview, secure, now) };
}

/** Gives a path that browsers read just as it is written; undefined for any other, which might lead to another site. */
function safePath(path: unknown, { origin }: Site): string | undefined {
  const safe = safeRedirect(path, new URL(previewPath, origin));
  return safe === path ? safe : undefined;
}

async function withActiveSelection({ findTests }: PreviewParts, { at, selection }: Preview): Promise<Preview> {
  return selection && isActive(await findTests(at), selection) ? { at, selection } : { at };
}

function isActive(tests: readonly ActiveTest[], { test, group }: NonNullable<Preview["selection"]>): boolean {
  return tests.some(({ name, groups }) => name === test && groups.some((one) => one.name === group));
}
