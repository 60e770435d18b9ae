import request from "supertest";
import { describe, expect, it } from "vitest";
import { createProtect, type RouteClass, requiredHeaders } from "../../../server/http/security-headers.ts";
import { cacheControl } from "../../../server/http/who-may-store.ts";
import { createOpsApp } from "../../../server/ops-app.ts";
import { rowsOf } from "../../docs/read-documents.ts";
import { createTestApp } from "../../support/test-app.ts";

const kept = { find: async () => undefined };
const { app, deps } = await createTestApp({
  openMailTransport: () => ({ send: async () => undefined, kept, close: () => undefined }),
});
const ops = createOpsApp({ ...deps, protect: createProtect(deps) });
const classes = Object.keys(requiredHeaders) as RouteClass[];

/** Every header that an answer of a class must have. */
function headersOf(routes: RouteClass): Record<string, string> {
  const { audience, headers }: (typeof requiredHeaders)[RouteClass] & { audience?: keyof typeof cacheControl } =
    requiredHeaders[routes];
  return { ...headers, ...(audience && { "Cache-Control": cacheControl[audience] }) };
}

/** The nonce of a page's policy is another one each time. */
const withoutNonce = (value: unknown) => String(value).replace(/'nonce-[\w+/=]+'/, "'nonce-<nonce>'");

/** The value that is sent where the built files are on the page's own origin, and the brand has no font. */
const sent = (value: string) =>
  value
    .replaceAll(" <assets>", "")
    .replace("<fonts>", "")
    .replace("<HSTS>", deps.hsts ?? "");

const answers: [RouteClass, "GET" | "POST" | "OPTIONS" | "DELETE", string][] = [
  ["any", "GET", "/service/footer-images/logos/dhl.svg"],
  ["any", "OPTIONS", "/login"],
  ["health", "GET", "/livez"],
  ["health", "GET", "/readyz"],
  ["metrics", "GET", "/metrics"],
  ["metrics", "DELETE", "/metrics"],
  ["metrics", "GET", "/nowhere"],
  ["asset", "GET", deps.assets.url("footer.css")],
  ["fragment", "GET", "/fragments/footer/DE"],
  ["fragment", "GET", "/fragments/footer/DE/manifest.json"],
  ["fragment", "GET", "/fragments/unknown"],
  ["call", "GET", "/service/promotion/api/promotion/SHOP_FOOTER"],
  ["call", "POST", "/service/login/api/v1/login"],
  ["call", "GET", "/service/unknown"],
  ["page", "GET", "/"],
  ["page", "GET", "/newsletter/confirm"],
  ["page", "GET", "/widgets"],
  ["page", "GET", "/nowhere"],
  ["page", "GET", "/assets/nothing.css"],
  ["page", "DELETE", "/view"],
  ["page", "GET", "/outbox"],
  ["mail", "GET", "/outbox/unknown/html"],
  ["passwordPage", "GET", "/login"],
  ["passwordPage", "GET", "/m/login"],
  ["passwordPage", "GET", "/preview"],
];

describe.each(classes)("the class %s", (routes) => {
  const asked = answers.filter(([name]) => name === routes);

  it.each(asked)("has its headers on every answer: %s %s %s", async (_class, method, path) => {
    const from = request(routes === "metrics" ? ops : app);
    const { headers } = await { GET: from.get, POST: from.post, OPTIONS: from.options, DELETE: from.delete }
      [method](path)
      .set("Host", "de.localhost");
    for (const [name, value] of Object.entries(headersOf(routes)))
      expect(withoutNonce(headers[name.toLowerCase()]), name).toBe(sent(value));
    const others = classes.flatMap((name) => Object.keys(requiredHeaders[name].headers));
    for (const name of others.filter((header) => !(header in headersOf(routes))))
      expect(headers, name).not.toHaveProperty(name.toLowerCase());
  });

  it("is in the document for operators, with the same headers", () => {
    const documented = new Map<string, string>();
    for (const [header = "", value = "", on = ""] of rowsOf("docs/operate.md", "Headers")) {
      const names = on.split(", ");
      if (names.includes(`\`${routes}\``) || (/^all( others)?$/.test(on) && !documented.has(header)))
        documented.set(header, value);
    }
    const expected = Object.entries(headersOf(routes)).map(([name, value]) => [`\`${name}\``, `\`${value}\``]);
    expect([...documented].filter(([name]) => name.startsWith("`")).sort()).toEqual(expected.sort());
  });
});

it("Strict-Transport-Security is what the environment says, or not sent", async () => {
  const { app: strict } = await createTestApp({ hsts: "max-age=1; preload" });
  const { app: without } = await createTestApp({ hsts: undefined });
  for (const path of ["/livez", "/fragments/footer/DE", "/login"]) {
    expect((await request(strict).get(path)).headers["strict-transport-security"]).toBe("max-age=1; preload");
    expect((await request(without).get(path)).headers).not.toHaveProperty("strict-transport-security");
  }
});
