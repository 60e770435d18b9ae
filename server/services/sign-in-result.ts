import type { Failed, RateLimited } from "./failed.ts";

/**
 * How a sign-in ends, for customers and staff alike. `cookies` are values of Set-Cookie headers. `unauthorized` stands
 * for an unknown address, a wrong password and a locked account alike, as nobody is told which it is.
 */
export type SignInResult = { status: "success"; cookies: string[] } | Failed<"unauthorized"> | RateLimited;
