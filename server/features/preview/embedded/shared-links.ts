import type { Request } from "express";
import type { Preview } from "../../../rendering/visitor.ts";
import type { FindTests } from "../../abtests/service.ts";
import { groupsOf } from "./routes.ts";
import { previewPath, type StaffSessions } from "./staff-sessions.ts";

/** What happens when somebody opens a link to a preview. `cookies` are values of Set-Cookie headers. */
type OpenedLink =
  | { status: "badLink" }
  | { status: "signedOut"; share: string | undefined }
  | { status: "open"; cookies: string[]; path: string };

export type SharedLinks = ReturnType<typeof createSharedLinks>;

/** Opens the links by which staff share a preview. The functions throw what the store and the A/B tests throw. */
export function createSharedLinks(staff: StaffSessions, findTests: FindTests) {
  return {
    /** @returns undefined if the request isn't for a link */
    async open(request: Request): Promise<OpenedLink | undefined> {
      if (request.query.share === undefined) return undefined;
      const share = tokenOf(request.query.share);
      const shared = await staff.readLink(share);
      if (!shared) return { status: "badLink" };
      const session = await staff.find(request);
      if (!session) return { status: "signedOut", share };
      const preview = await withoutEndedTest(shared.preview);
      return { status: "open", cookies: await staff.writePreview(session, preview, request), path: shared.path };
    },

    /** Returns where a sign-in leads: to the link that was opened before it, or to the shop. */
    pathAfterSignIn: async (share: string | undefined): Promise<string> =>
      (await staff.readLink(share)) ? `${previewPath}?share=${share}` : "/",
  };

  async function withoutEndedTest({ at, selection }: Preview): Promise<Preview> {
    const isActive = selection && groupsOf(await findTests(at), selection.test)?.includes(selection.group);
    return isActive ? { at, selection } : { at };
  }
}

export function tokenOf(field: unknown): string | undefined {
  return typeof field === "string" ? field : undefined;
}
