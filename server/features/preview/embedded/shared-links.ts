import type { Preview } from "../../../rendering/visitor.ts";
import type { FindTests } from "../../abtests/service.ts";
import { previewPath, type SharedLinks } from "../service.ts";
import { groupsOf } from "./routes.ts";
import type { StaffSessions } from "./staff-sessions.ts";

/** Creates the links of the embedded sessions of staff. */
export function createSharedLinks(staff: StaffSessions, findTests: FindTests): SharedLinks {
  return {
    async open(request) {
      if (request.query.share === undefined) return undefined;
      const share = tokenOf(request.query.share);
      const shared = await staff.readLink(share);
      if (!shared) return { status: "badLink" };
      const session = await staff.find(request);
      if (!session) return { status: "signedOut", share };
      const preview = await withoutEndedTest(shared.preview);
      return { status: "open", cookies: await staff.writePreview(session, preview, request), path: shared.path };
    },

    pathAfterSignIn: async (share) => ((await staff.readLink(share)) ? `${previewPath}?share=${share}` : "/"),
  };

  async function withoutEndedTest({ at, selection }: Preview): Promise<Preview> {
    const isActive = selection && groupsOf(await findTests(at), selection.test)?.includes(selection.group);
    return isActive ? { at, selection } : { at };
  }
}

export function tokenOf(field: unknown): string | undefined {
  return typeof field === "string" ? field : undefined;
}
