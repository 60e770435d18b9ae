import type { LoginRequest } from "../../schemas/types.ts";
import type { SignInResult } from "./sign-in-result.ts";

/** Who calls, and what their browser already has. */
export interface LoginCaller {
  /** Network address of the caller. */
  address: string | undefined;
  /** Whether visitors reach the site by https. */
  secure: boolean;
  /** Host and port of the page, as the browser has them. */
  host: string;
  credentials: Credentials;
  /** By what the embedded service knows a browser that was signed in before. */
  device?: string | undefined;
}

/** The cookies of the login service that only servers see. */
export interface Credentials {
  login?: string | undefined;
  longterm?: string | undefined;
}

/** The login service, be it the embedded or a real one. */
export interface LoginService {
  /** @throws UnavailableError when nobody can sign in at the moment */
  login(request: LoginRequest, caller: LoginCaller): Promise<SignInResult>;
  /**
   * Ends the session of a caller. Returns values of Set-Cookie headers that remove it from the browser.
   * @throws UnavailableError when it can't be ended at the moment
   */
  logout(caller: LoginCaller): Promise<string[]>;
  /**
   * Gives values of Set-Cookie headers that remove a session which has ended before its clock says so: it was revoked.
   * There are none for a session that goes on, and none where this service doesn't know the sessions.
   */
  removeEnded(caller: LoginCaller): Promise<string[]>;
}
