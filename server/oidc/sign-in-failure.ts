import { nameOf, UpstreamError } from "../platform/errors.ts";

/** Why a sign-in at a provider has failed. */
export type SignInFailure =
  /** This browser never began it, began it too long ago, or has already ended it. */
  | "lost"
  /** The person has cancelled it, or may not sign in. */
  | "refused"
  /** The provider's answer breaks a rule: it may be forged. */
  | "invalid"
  /** The clocks of provider and service differ, or the answer is an old one. */
  | "wrongClock"
  /** The provider can't answer, or doesn't know this client. */
  | "unavailable";

export interface FailedSignIn {
  status: SignInFailure;
  /** A code for the log, which contains nothing of the answer. */
  reason: string;
}

/** Errors of an authorization response that a person causes (OpenID Connect Core 1.0, 3.1.2.6). */
const refusals = new Set([
  "access_denied",
  "account_selection_required",
  "consent_required",
  "interaction_required",
  "login_required",
]);

/** The codes of openid-client for an answer that doesn't come from a working provider. */
const unusable = new Set([
  "OAUTH_ABORT",
  "OAUTH_TIMEOUT",
  "OAUTH_RESPONSE_IS_NOT_CONFORM",
  "OAUTH_RESPONSE_IS_NOT_JSON",
  "OAUTH_MISSING_SERVER_METADATA",
  "OAUTH_INVALID_SERVER_METADATA",
  "OAUTH_HTTP_REQUEST_FORBIDDEN",
]);

/**
 * Returns why a call of openid-client has failed.
 * @throws the error if it isn't about the provider
 */
export function signInFailureOf(error: unknown): FailedSignIn {
  const upstream = findCause(error, (one) => one instanceof UpstreamError);
  if (upstream instanceof UpstreamError) return { status: "unavailable", reason: upstream.fault };
  if (!(error instanceof Error)) throw error;
  const code = nameOf(error);
  const answered = "error" in error && typeof error.error === "string" ? error.error : undefined;
  switch (code) {
    case "OAUTH_AUTHORIZATION_RESPONSE_ERROR":
      return { status: refusals.has(answered ?? "") ? "refused" : "unavailable", reason: wordOf(answered) };
    case "OAUTH_RESPONSE_BODY_ERROR":
      return { status: isInvalidGrant(error) ? "lost" : "unavailable", reason: wordOf(answered) };
    case "OAUTH_WWW_AUTHENTICATE_CHALLENGE":
      return { status: "unavailable", reason: "the provider refuses the client" };
    case "OAUTH_JWT_TIMESTAMP_CHECK_FAILED":
      return { status: "wrongClock", reason: code };
    default:
      if (!code.startsWith("OAUTH_")) throw error;
      return { status: unusable.has(code) ? "unavailable" : "invalid", reason: code };
  }
}

/** Whether the provider says that a code or a refresh token is worth nothing (RFC 6749, 5.2). */
export function isInvalidGrant(error: unknown): boolean {
  return error instanceof Error && "error" in error && error.error === "invalid_grant";
}

/** Providers name an error by one word. Nothing else may get into the log. */
function wordOf(text: string | undefined): string {
  return text !== undefined && /^[\w.-]{1,60}$/.test(text) ? text : "an unnamed error";
}

function findCause(error: unknown, isWanted: (error: Error) => boolean): Error | undefined {
  if (!(error instanceof Error)) return undefined;
  return isWanted(error) ? error : findCause(error.cause, isWanted);
}
