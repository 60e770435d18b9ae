import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { loadServiceKey } from "../store/load-service-key.ts";
import type { Database } from "../store/open-store.ts";

/**
 * The browsers with which somebody has signed in: https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies
 * Tries from there are counted apart, so that nobody's wrong passwords keep an owner out. Who steals what a browser is
 * known by gets some tries for one account, and nothing else.
 */
export interface KnownDevices {
  /** Makes up by what a browser is known for an account. Nobody reads from it which account that is. */
  admit(loginName: string): string;
  /**
   * Gives by what the tries for an address are counted.
   * @param device - what the browser sends; it doesn't count unless it was made for this address
   */
  counterOf(loginName: string, device: string | undefined): string;
}

const keyNames = { login: "login-device", staff: "staff-device" };

/** Removes the keys by which browsers are known. Each replica goes on with those that it has until its next start. */
export async function removeDeviceKeys(db: Database): Promise<void> {
  await db.deleteFrom("encryptedKey").where("name", "in", Object.values(keyNames)).execute();
}

/** Opens the known browsers of one kind of accounts. */
export async function openKnownDevices(db: Database, kind: "login" | "staff"): Promise<KnownDevices> {
  const secret = await loadServiceKey(db, keyNames[kind]);
  return {
    admit: (loginName) => sign(randomBytes(16).toString("base64url"), loginName),
    counterOf: (loginName, device) => (device !== undefined && isOf(device, loginName) ? device : loginName),
  };

  function isOf(device: string, loginName: string): boolean {
    const [id = ""] = device.split(".", 1);
    const [presented, expected] = [Buffer.from(device), Buffer.from(sign(id, loginName))];
    return presented.length === expected.length && timingSafeEqual(presented, expected);
  }

  function sign(id: string, loginName: string): string {
    return `${id}.${createHmac("sha256", secret).update(`${id} ${loginName}`).digest("base64url")}`;
  }
}
