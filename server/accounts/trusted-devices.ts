import { randomBytes, timingSafeEqual } from "node:crypto";
import type { Request } from "express";
import { day, second } from "../../client/rules/time.ts";
import { readCookie, writeCookie } from "../http/cookies.ts";
import { hmac, type SecretKeys } from "../platform/secret-keys.ts";
import type { AccountKind } from "../platform/security-events.ts";

/**
 * Browsers in which an account has signed in: https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies
 * Their login attempts are counted separately, so that a stranger's wrong passwords don't lock the owner out. A stolen
 * device cookie gives a few attempts for one account, nothing else.
 */
interface TrustedDevices {
  /** Creates the device cookie for an account. It doesn't reveal the account. */
  trust(loginName: string): string;
  /**
   * Returns the key under which login attempts for an address are counted.
   * @param device - the browser's device cookie; ignored unless it was created for this address
   */
  counterOf(loginName: string, device: string | undefined): string;
}

/** The device cookies outlive the session. They are never forwarded to a real service. */
const cookieNames = { customer: "KnownDevice", staff: "KnownStaffDevice" };
/** Browsers keep no cookie longer: https://developer.chrome.com/blog/cookie-max-age-expires */
const lifetime = 400 * day;

export function readDeviceCookie(request: Pick<Request, "cookies">, kind: AccountKind): string | undefined {
  return readCookie(request, cookieNames[kind]);
}

/** Returns the value of a Set-Cookie header. */
export function writeDeviceCookie(kind: AccountKind, device: string, { secure }: { secure: boolean }): string {
  return writeCookie(cookieNames[kind], device, { secure, lifetime: lifetime / second });
}

/** Creates the trusted devices of one kind of accounts. */
export function createTrustedDevices(keys: SecretKeys, kind: AccountKind): TrustedDevices {
  const purpose = `${kind}-device`;
  const [signingKey, verifyingKeys] = [keys.signing(purpose), keys.verifying(purpose)];
  return {
    trust: (loginName) => sign(signingKey, randomBytes(16).toString("base64url"), loginName),
    counterOf: (loginName, device) => (device !== undefined && isOf(device, loginName) ? device : loginName),
  };

  function isOf(device: string, loginName: string): boolean {
    const [id = ""] = device.split(".", 1);
    const presented = Buffer.from(device);
    return verifyingKeys.some((key) => {
      const expected = Buffer.from(sign(key, id, loginName));
      return presented.length === expected.length && timingSafeEqual(presented, expected);
    });
  }
}

function sign(key: Buffer, id: string, loginName: string): string {
  return `${id}.${hmac(key, `${id} ${loginName}`)}`;
}
