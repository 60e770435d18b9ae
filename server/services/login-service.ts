import type { LoginRequest } from "../../schemas/types.ts";

/** Who calls, and what their browser already has. */
export interface LoginCaller {
  /** Network address. */
  address: string | undefined;
  /** Whether the browser is connected by https. */
  secure: boolean;
  /** Host and port of the page, as the browser has them. */
  host: string;
  credentials: Credentials;
}

/** The cookies of the login service that only servers see. */
export interface Credentials {
  login?: string | undefined;
  longterm?: string | undefined;
}

export type LoginResult =
  /** `cookies` are values of Set-Cookie headers. */
  | { status: "success"; cookies: string[] }
  /** Unknown address, wrong password or locked account: which of them, nobody is told. */
  | { status: "unauthorized" }
  /** `retryAfter`: when to try again, in seconds. */
  | { status: "throttled"; retryAfter: number }
  | { status: "unavailable" };

/** The login service, be it the embedded or a real one. It doesn't throw: what goes wrong is logged, and `unavailable`. */
export interface LoginService {
  login(request: LoginRequest, caller: LoginCaller): Promise<LoginResult>;
}
