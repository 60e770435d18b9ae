import type { Request } from "express";
import type { Moment } from "../../../client/rules/time.ts";
import type { StaffLogin } from "../../../schemas/types.ts";
import type { SignInResult } from "../../accounts/sign-in.ts";
import { readDeviceCookie } from "../../accounts/trusted-devices.ts";
import { type StaffCookies, staffCookiesOf } from "../../http/staff-cookies.ts";
import type { Failed, InvalidFields } from "../../platform/errors.ts";
import type { Preview } from "../../rendering/visitor.ts";
import type { Site } from "../../sites/countries.ts";

/** Path of the staff sign-in page and of shared links. */
export const previewPath = "/preview";

/** The caller of the preview service. */
export interface StaffCaller {
  /** Network address of the caller. */
  address: string | undefined;
  /** Whether the site is reached over HTTPS. */
  secure: boolean;
  cookies: StaffCookies;
  /** The trusted-device cookie of the browser. */
  device?: string | undefined;
}

/** Reads the caller of the preview service from a request. */
export function staffCallerOf(request: Request): StaffCaller {
  return {
    address: request.ip,
    secure: request.secure,
    cookies: staffCookiesOf(request),
    device: readDeviceCookie(request, "staff"),
  };
}

/** An entry of the shop that starts or ends. */
export interface Change {
  kind: "promotion" | "test" | "footer";
  name: string;
  change: "starts" | "ends";
}

/** All changes of one moment. */
export interface Changes {
  at: Moment;
  changes: Change[];
}

/** The preview that staff ask for, not yet validated. */
export interface PreviewRequest {
  previewDateTime: unknown;
  test: unknown;
  group: unknown;
  /** Ends the preview. The other fields are then ignored; they are for services that don't know this one. */
  leave?: boolean;
}

/** The time around which changes of a site are looked for. */
interface ChangesRequest {
  /** Undefined when the request had no valid time. */
  after: Moment | undefined;
  site: Site;
}

/** The page that staff share. */
interface ShareRequest {
  path: unknown;
  site: Site;
}

/** A link to a preview. */
interface SharedLink {
  url: string;
  expiresAt: Moment;
}

type ChooseResult = { status: "chosen"; cookies: string[] } | Failed<"unauthorized"> | InvalidFields;

/** The changes nearest to a time, strictly before and after it; undefined when there are none. */
interface NearestChanges {
  previous: Changes | undefined;
  next: Changes | undefined;
}

type ChangesResult = ({ status: "found" } & NearestChanges) | Failed<"unauthorized"> | InvalidFields;

/** `nothingChosen`: nothing is previewed. */
type ShareResult =
  | ({ status: "shared" } & SharedLink)
  | { status: "nothingChosen" }
  | Failed<"unauthorized">
  | InvalidFields;

/** `path` is a path of the site, safe to go to. */
type OpenedShare = { status: "opened"; cookies: string[]; path: string } | Failed<"unauthorized"> | Failed<"badLink">;

/**
 * The preview service; of a real one, only `chosen` is called. The functions throw what the store or the upstream throws.
 * Cookies are values of Set-Cookie headers.
 */
export interface PreviewService {
  /** @throws UnavailableError when the service can't answer */
  login(request: StaffLogin, caller: StaffCaller): Promise<SignInResult>;
  /** Finds what the caller previews, by default the present; undefined when nobody is signed in. */
  check(cookies: StaffCookies): Promise<Preview | undefined>;
  /** Renews the session of the caller; undefined when nobody is signed in. */
  renew(caller: StaffCaller): Promise<string[] | undefined>;
  logout(caller: StaffCaller): Promise<string[]>;
  /** Chooses a preview. An invalid time is logged, and means the present; `test` or `group` may be invalid. */
  choose(request: PreviewRequest, caller: StaffCaller): Promise<ChooseResult>;
  /** Finds the preview that the caller has chosen; undefined when its cookie isn't valid (any more). */
  chosen(cookies: StaffCookies): Promise<Preview | undefined>;
  /** Finds the changes nearest to a time; `after` may be invalid. */
  changes(request: ChangesRequest, cookies: StaffCookies): Promise<ChangesResult>;
  /** Creates a link to the caller's preview, for other staff; `path` may be invalid. */
  share(request: ShareRequest, cookies: StaffCookies): Promise<ShareResult>;
  /** Whether a token is that of a valid link. */
  isShare(token: string | undefined): Promise<boolean>;
  openShare(token: string | undefined, caller: StaffCaller): Promise<OpenedShare>;
}
