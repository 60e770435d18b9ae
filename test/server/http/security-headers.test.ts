import request from "supertest";
import { describe, expect, it } from "vitest";
import { createOpsApp } from "../../../server/process/ops-app.ts";
import { rowsOf } from "../../docs/read-documents.ts";
import { createTestApp } from "../../support/test-app.ts";

const { app, deps } = await createTestApp({
  openMailTransport: () => ({ send: async () => undefined, find: async () => undefined, close: () => undefined }),
});
const ops = createOpsApp(deps);

/** Reads the operators' table: every header of a class, by its name in lower case. */
function headersOf(routes: string): Map<string, string> {
  const headers = new Map<string, string>();
  const rows = rowsOf("docs/operate.md", "Headers").filter(([header = ""]) => header.startsWith("`"));
  for (const [header = "", value = "", on = ""] of rows) {
    const name = header.replaceAll("`", "").toLowerCase();
    if (on.split(", ").includes(`\`${routes}\``) || (/^all( others)?$/.test(on) && !headers.has(name)))
      headers.set(name, value.replaceAll("`", ""));
  }
  return headers;
}

/** Returns the value that is sent if assets are on the page's own origin and the brand has no font. */
const sent = (value: string) =>
  value
    .replaceAll(" <assets>", "")
    .replace("<fonts>", "")
    .replace("<HSTS>", deps.hsts ?? "");
const withoutNonce = (value: unknown) => String(value).replace(/'nonce-[\w+/=]+'/, "'nonce-<nonce>'");

const answers: [routes: string, "get" | "post" | "options" | "delete", string][] = [
  ["any", "get", "/service/footer-images/logos/dhl.svg"],
  ["any", "options", "/login"],
  ["health", "get", "/livez"],
  ["health", "get", "/readyz"],
  ["metrics", "get", "/metrics"],
  ["metrics", "delete", "/metrics"],
  ["metrics", "get", "/nowhere"],
  ["asset", "get", deps.assets.url("footer.css")],
  ["fragment", "get", "/fragments/footer/DE"],
  ["fragment", "get", "/fragments/footer/DE/manifest.json"],
  ["fragment", "get", "/fragments/unknown"],
  ["call", "get", "/service/promotion/api/promotion/SHOP_FOOTER"],
  ["call", "post", "/service/login/api/v1/login"],
  ["call", "get", "/service/unknown"],
  ["page", "get", "/"],
  ["page", "get", "/newsletter/confirm"],
  ["page", "get", "/widgets"],
  ["page", "get", "/nowhere"],
  ["page", "get", "/nothing.css"],
  ["page", "delete", "/view"],
  ["page", "get", "/outbox"],
  ["mail", "get", "/outbox/unknown/html"],
  ["passwordPage", "get", "/login"],
  ["passwordPage", "get", "/m/login"],
  ["passwordPage", "get", "/preview"],
];

const all = new Set(answers.flatMap(([routes]) => [...headersOf(routes).keys()]));

it.each(answers)(
  "an answer of the class %s has the headers that operators read of: %s %s",
  async (routes, method, path) => {
    const { headers } = await request(routes === "metrics" ? ops : app)
      [method](path)
      .set("Host", "de.localhost");
    const expected = headersOf(routes);
    for (const name of all) {
      const value = expected.get(name);
      if (value !== undefined) expect(withoutNonce(headers[name]), name).toBe(sent(value));
      // Fragments, files and calls that are forwarded have policies of their own.
      else if (name !== "cache-control") expect(headers, name).not.toHaveProperty(name);
    }
  },
);

it("Strict-Transport-Security is what the environment says, or not sent", async () => {
  const { app: strict } = await createTestApp({ hsts: "max-age=1; preload" });
  const { app: without } = await createTestApp({ hsts: undefined });
  for (const path of ["/livez", "/fragments/footer/DE", "/login"]) {
    expect((await request(strict).get(path)).headers["strict-transport-security"]).toBe("max-age=1; preload");
    expect((await request(without).get(path)).headers).not.toHaveProperty("strict-transport-security");
  }
});

describe("the nonce of a page", () => {
  it("is another one each time, and the one of its scripts", async () => {
    const [first, second] = await Promise.all([
      request(app).get("/nowhere?site=DE"),
      request(app).get("/nowhere?site=DE"),
    ]);
    const nonceOf = (response: request.Response) =>
      /'nonce-([^']+)'/.exec(String(response.headers["content-security-policy"]))?.[1];
    expect(nonceOf(first)).not.toBe(nonceOf(second));
    expect(nonceOf(first)).toMatch(/^[\w+/]{22}==$/);
  });
});

it("pages load built files from the origin of ASSET_BASE_URL", async () => {
  const { app: apart } = await createTestApp({
    assets: { ...deps.assets, origin: "https://cdn.example" },
  });
  const { headers } = await request(apart).get("/login").set("Host", "de.localhost");
  for (const directive of ["script-src", "style-src", "img-src"])
    expect(headers["content-security-policy"]).toMatch(new RegExp(`${directive} 'self' https://cdn\\.example`));
});
