import type { Moment } from "../../client/rules/time.ts";
import type { StaffLogin } from "../../schemas/types.ts";
import type { Site } from "../sites/countries.ts";
import type { Failed, InvalidFields } from "./failed.ts";
import type { SignInResult } from "./sign-in-result.ts";

/** Path of the page where staff sign in, to which shared links lead. */
export const previewPath = "/preview";

/** Something that starts or ends in the shop. */
export interface Change {
  kind: "promotion" | "test" | "footer";
  name: string;
  change: "starts" | "ends";
}

/** All that changes at the same moment. */
export interface Changes {
  at: Moment;
  changes: Change[];
}

/** Which shop staff see: that of a moment, as a group of an A/B test sees it. */
export interface Preview {
  at: Moment;
  selection?: { test: string; group: string };
}

/** What a browser has of the preview service. */
export interface StaffCookies {
  staff?: string | undefined;
  cobra?: string | undefined;
  context?: string | undefined;
}

/** Who calls, and what their browser has of the preview service. */
export interface StaffCaller {
  /** Network address of the caller. */
  address: string | undefined;
  /** Whether visitors reach the site by https. */
  secure: boolean;
  cookies: StaffCookies;
  /** By what the service knows a browser that was signed in before. */
  device?: string | undefined;
}

/** What staff want to preview, as they send it. */
export interface PreviewRequest {
  previewDateTime: unknown;
  test: unknown;
  group: unknown;
  /** Ends the preview. The other fields are then for services that don't know this one, and don't count here. */
  leave?: boolean;
}

/** Around which time of which site changes are looked for. */
export interface ChangesRequest {
  /** The time; undefined where what was sent is none. */
  after: Moment | undefined;
  site: Site;
}

/** What staff want to share: the page of a site on which they preview. */
export interface ShareRequest {
  path: unknown;
  site: Site;
}

/** A link to what somebody previews. */
export interface SharedLink {
  url: string;
  expiresAt: Moment;
}

export type ChooseResult = { status: "chosen"; cookies: string[] } | Failed<"unauthorized"> | InvalidFields;

/** What changes nearest to a time, strictly before and after it; undefined where nothing does. */
export interface NearestChanges {
  previous: Changes | undefined;
  next: Changes | undefined;
}

export type ChangesResult = ({ status: "found" } & NearestChanges) | Failed<"unauthorized"> | InvalidFields;

/** `nothingChosen`: there is no preview to share. */
export type ShareResult =
  | ({ status: "shared" } & SharedLink)
  | { status: "nothingChosen" }
  | Failed<"unauthorized">
  | InvalidFields;

/** `path` is a path of the site, safe to go to. */
export type OpenedShare =
  | { status: "opened"; cookies: string[]; path: string }
  | Failed<"unauthorized">
  | Failed<"badLink">;

/**
 * The preview service. Of a real one, `chosen` alone is called. The functions throw what the store or the upstream
 * throws; cookies that they return are values of Set-Cookie headers.
 */
export interface PreviewService {
  /** @throws UnavailableError when nobody can sign in at the moment */
  login(request: StaffLogin, caller: StaffCaller): Promise<SignInResult>;
  /** Tells what the caller previews, which is the present until they choose; undefined when nobody is signed in. */
  check(cookies: StaffCookies): Promise<Preview | undefined>;
  /** Renews the session of the caller; undefined when nobody is signed in. */
  renew(caller: StaffCaller): Promise<string[] | undefined>;
  logout(caller: StaffCaller): Promise<string[]>;
  /**
   * Chooses what to preview. A time that can't be read is the present, and logged; `test` or `group` may be invalid.
   */
  choose(request: PreviewRequest, caller: StaffCaller): Promise<ChooseResult>;
  /** Tells what the caller has chosen; undefined when the choice isn't theirs, or not any more. */
  chosen(cookies: StaffCookies): Promise<Preview | undefined>;
  /** Finds what changes nearest to a time; `after` may be invalid. */
  changes(request: ChangesRequest, cookies: StaffCookies): Promise<ChangesResult>;
  /** Makes a link to what the caller has chosen, for other staff; `path` may be invalid. */
  share(request: ShareRequest, cookies: StaffCookies): Promise<ShareResult>;
  /** Tells whether a token is that of a link that can be opened. */
  isShare(token: string | undefined): Promise<boolean>;
  openShare(token: string | undefined, caller: StaffCaller): Promise<OpenedShare>;
}
