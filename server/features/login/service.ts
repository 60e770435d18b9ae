import type { LoginRequest } from "../../../schemas/types.ts";
import type { SignInResult } from "../../accounts/sign-in.ts";

/** The caller of the login service. */
export interface LoginCaller {
  /** Network address of the caller. */
  address: string | undefined;
  /** Whether the site is reached over HTTPS. */
  secure: boolean;
  /** Host and port of the page. */
  host: string;
  credentials: Credentials;
  /** The trusted-device cookie of the browser. */
  device?: string | undefined;
}

/** The HttpOnly cookies of the login service. */
export interface Credentials {
  login?: string | undefined;
  longterm?: string | undefined;
}

/** The login service, embedded or real. */
export interface LoginService {
  /** @throws UnavailableError when the service can't answer */
  login(request: LoginRequest, caller: LoginCaller): Promise<SignInResult>;
  /**
   * Ends the session of a caller. Returns values of Set-Cookie headers that remove its cookies.
   * @throws UnavailableError when the service can't answer
   */
  logout(caller: LoginCaller): Promise<string[]>;
  /**
   * Returns values of Set-Cookie headers that remove the cookies of a revoked session, whose clock is still running.
   * None for a live session, and none from a real service.
   */
  removeEnded(caller: LoginCaller): Promise<string[]>;
}
