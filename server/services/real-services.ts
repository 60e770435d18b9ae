import type { Milliseconds } from "../../client/rules/time.ts";
import type { EnvVariables } from "../../schemas/types.ts";
import { loginCookieNames, ownLoginCookies } from "./login-cookies.ts";
import { newsletterDeadline, subscriberPaths } from "./newsletter-service.ts";
import { ownStaffCookies, staffCookieNames } from "./staff-cookies.ts";

/** A real service that may take the place of an embedded one. */
export interface RealService {
  name: string;
  /** The environment variable that holds its address. */
  variable: keyof EnvVariables;
  /** The real service answers everything below these paths. */
  paths: readonly ServicePath[];
  allowed: Allowed;
  /** Names of the cookies that no other service may set. */
  ownCookies?: readonly string[];
}

/** What the forwarded calls of a service may carry of a visitor; everything else stays here. */
export interface Allowed {
  /** Names of cookies; undefined for none. */
  cookies?: readonly string[];
  /** Whether it gets the credential of the customer who is signed in, in the header X-Login-Token. */
  loginToken?: boolean;
  /** Whether it gets the network address of who calls, in the header X-Original-Address. */
  originalAddress?: boolean;
}

interface ServicePath {
  path: string;
  /** The lowest status that counts as a failure of the service; undefined passes every answer on. */
  failsFrom?: number;
  /** Longest time for one call; undefined is the forwarder's own. */
  deadline?: Milliseconds;
  /** Paths below this one at which a POST needs no evidence that a page of the shop makes it. */
  openToAll?: RegExp;
}

/**
 * Mail programs call the first for their users, and know nothing but its address
 * (https://www.rfc-editor.org/rfc/rfc8058). Who sends newsletters calls the other.
 */
const byToken = /^\/[^/\\]+\/(?:unsubscribe|opened)$/;

/** Every service that may be a real one. */
export const realServices = [
  {
    name: "abtest",
    variable: "UPSTREAM_ABTEST_URL",
    paths: [{ path: "/service/abtestfrontend" }],
    allowed: {},
  },
  {
    name: "promotion",
    variable: "UPSTREAM_PROMOTION_URL",
    paths: [{ path: "/service/promotion" }],
    allowed: { cookies: staffCookieNames },
  },
  {
    name: "newsletter",
    variable: "UPSTREAM_NEWSLETTER_URL",
    paths: subscriberPaths.map((path) => ({ path, openToAll: byToken, deadline: newsletterDeadline })),
    allowed: { originalAddress: true },
  },
  {
    name: "customer",
    variable: "UPSTREAM_CUSTOMER_URL",
    paths: [{ path: "/service/newsletter/api/private/customers" }, { path: "/service/customerfrontenddata" }],
    allowed: { loginToken: true },
  },
  {
    name: "login",
    variable: "UPSTREAM_LOGIN_URL",
    paths: [{ path: "/service/login/api/v1/login", failsFrom: 500 }, { path: "/service/login" }],
    allowed: { cookies: loginCookieNames },
    ownCookies: ownLoginCookies,
  },
  {
    name: "preview",
    variable: "UPSTREAM_PREVIEW_URL",
    paths: [{ path: "/service/preview" }],
    allowed: { cookies: staffCookieNames },
    ownCookies: ownStaffCookies,
  },
] as const satisfies readonly RealService[];

/** The address of each real service; undefined where the embedded one answers. */
export type UpstreamUrls = { [Name in (typeof realServices)[number]["name"]]?: string | undefined };
