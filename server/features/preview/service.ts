import type { Request } from "express";

/** The path of the staff sign-in page and of shared links. */
export const previewPath = "/preview";

/** What happens when somebody opens a link to a preview. `cookies` are values of Set-Cookie headers. */
type OpenedLink =
  | { status: "badLink" }
  | { status: "signedOut"; share: string | undefined }
  | { status: "open"; cookies: string[]; path: string };

/** The links by which staff share a preview. The functions throw what the store and the A/B tests throw. */
export interface SharedLinks {
  /** @returns undefined if the request isn't for a link */
  open(request: Request): Promise<OpenedLink | undefined>;

  /** Returns where a sign-in leads: to the link that was opened before it, or to the shop. */
  pathAfterSignIn(share: string | undefined): Promise<string>;
}
