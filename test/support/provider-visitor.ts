import { load } from "cheerio";
import { keep } from "./cookie-jar.ts";

/** A browser at an identity provider. It keeps the provider's cookies, so that a second sign-in needs no form. */
export interface ProviderVisitor {
  /**
   * Follows the address that a site leads to, and signs in if the provider asks.
   * @returns the address that the provider leads back to
   */
  signIn(address: string, email: string): Promise<string>;
  /** The same, but refuses. */
  cancel(address: string): Promise<string>;
  /** Follows the address that a site's logout leads to, and confirms it. */
  signOut(address: string): Promise<string>;
}

export function createProviderVisitor(): ProviderVisitor {
  let jar: Record<string, string> = {};
  return {
    signIn: (address, email) => follow(address, { email }),
    cancel: (address) => follow(address, { cancel: "1" }),
    signOut: (address) => follow(address, { logout: "yes" }),
  };

  /** Follows redirects at the provider, and fills in each form. */
  async function follow(address: string, fields: Record<string, string>): Promise<string> {
    const { origin } = new URL(address);
    let next: { url: string; body?: URLSearchParams } = { url: address };
    for (let step = 0; step < 20; step++) {
      const { url, body } = next;
      const response = await fetch(url, {
        ...(body && { method: "POST", body }),
        redirect: "manual",
        headers: {
          Cookie: Object.entries(jar)
            .map(([name, value]) => `${name}=${value}`)
            .join("; "),
        },
      });
      jar = keep(jar, response.headers.getSetCookie());
      const location = response.headers.get("location");
      if (location !== null) {
        next = { url: new URL(location, url).href };
        if (!next.url.startsWith(`${origin}/`)) return next.url;
        continue;
      }
      const form = load(await response.text())("form");
      if (response.status !== 200 || form.length === 0)
        throw new Error(`the provider answered ${response.status} at ${url}`);
      const hidden = form.find("input[type=hidden]").toArray();
      const values = hidden.map(({ attribs }): [string, string] => [attribs.name ?? "", attribs.value ?? ""]);
      next = {
        url: new URL(form.attr("action") ?? "", url).href,
        body: new URLSearchParams([...values, ...Object.entries(fields)]),
      };
    }
    throw new Error(`the provider leads in a circle from ${address}`);
  }
}
