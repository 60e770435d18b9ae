import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import PostalMime from "postal-mime";
import { type Jar, keep } from "./cookie-jar.ts";

const subscribers = "newsletter/api/internal/newsletter-subscribers";

/**
 * Opens a browser on a page of the German site, which keeps its cookies while the service at an origin is replaced. Its
 * calls return the status of the answer.
 * @param jar - the cookies that it has from before
 */
export function openBrowser(jar: Jar = {}) {
  return {
    cookies: () => jar,
    signIn: (origin: string, email: string, password: string) =>
      call(origin, "POST", "login/api/v1/login", { email, password }),
    renew: (origin: string) => call(origin, "POST", "login/api/v1/logintoken/renew"),
    signInAsStaff: (origin: string, user: string, password: string) =>
      call(origin, "POST", "preview/api/auth/login", { user, password }),
    renewAsStaff: (origin: string) => call(origin, "POST", "preview/api/auth/login/renew"),
    signUp: (origin: string, email: string) => call(origin, "POST", subscribers, { email }),
    confirm: (origin: string, token: string) => call(origin, "PUT", `${subscribers}/${token}/doi`),
  };

  async function call(origin: string, method: "POST" | "PUT", path: string, body = {}): Promise<number> {
    const Cookie = Object.entries(jar)
      .map((pair) => pair.join("="))
      .join("; ");
    const headers = { "Content-Type": "application/json", "X-hunter-csrf": "1", "Sec-Fetch-Site": "same-origin" };
    const answer = await fetch(`${origin}/service/${path}`, {
      method,
      headers: { ...headers, "X-Site": "DE", Cookie },
      body: JSON.stringify(body),
    });
    jar = keep(jar, answer.headers.getSetCookie());
    return answer.status;
  }
}

/** Reads the status of the subscription that a token belongs to. */
export async function readStatus(origin: string, token: string): Promise<string> {
  return (await (await fetch(`${origin}/service/${subscribers}/${token}`)).json()).status;
}

/** Returns the token of the confirmation link in the email to an address; undefined while there is no such email. */
export async function findToken(dataDir: string, email: string): Promise<string | undefined> {
  const outbox = join(dataDir, "outbox");
  // A mail is written under another name first.
  const mails = (await readdir(outbox).catch(() => [])).filter((file) => file.endsWith(".eml"));
  for (const file of mails) {
    const { to, text } = await PostalMime.parse(await readFile(join(outbox, file)));
    const [, token] = /confirm\?token=(\S+)/.exec(text ?? "") ?? [];
    if (token && to?.some(({ address }) => address === email)) return token;
  }
  return undefined;
}
