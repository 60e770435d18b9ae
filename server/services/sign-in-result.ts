/** How signing in has ended, for customers and staff alike. */
export type SignInResult =
  /** `cookies` are values of Set-Cookie headers. */
  | { status: "success"; cookies: string[] }
  /** Unknown address, wrong password or locked account: which of them, nobody is told. */
  | { status: "unauthorized" }
  /** `retryAfter`: when to try again, in seconds. */
  | { status: "rateLimited"; retryAfter: number };
