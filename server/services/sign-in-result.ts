import type { Failed, RateLimited } from "./failed.ts";

/**
 * How signing in has ended, for customers and staff alike: `cookies` are values of Set-Cookie headers. `unauthorized` is
 * an unknown address, a wrong password or a locked account: which of them, nobody is told.
 */
export type SignInResult = { status: "success"; cookies: string[] } | Failed<"unauthorized"> | RateLimited;
