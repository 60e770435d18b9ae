import { readFileSync } from "node:fs";
import request from "supertest";
import { describe, expect, it } from "vitest";
import { createOpsApp } from "../../../server/process/ops-app.ts";
import { createTestApp } from "../../support/test-app.ts";

const { app, deps } = await createTestApp();

const answers: [routes: string, "get" | "post" | "options" | "delete", string][] = [
  ["logo", "get", "/service/footer-images/logos/dhl.svg"],
  ["any", "get", "/service/newsletterfrontend/newslettersubscriptionform/273x273.svg"],
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

/** What operators look up, in the order of their table. Fragments, files and forwarded calls are cached by other rules. */
const listed = [
  "Content-Security-Policy",
  "Cross-Origin-Opener-Policy",
  "Cross-Origin-Resource-Policy",
  "Access-Control-Allow-Origin",
  "Permissions-Policy",
  "Cache-Control",
  "Strict-Transport-Security",
  "Referrer-Policy",
  "X-Content-Type-Options",
  "X-Frame-Options",
  "Origin-Agent-Cluster",
  "X-DNS-Prefetch-Control",
  "X-Download-Options",
  "X-Permitted-Cross-Domain-Policies",
  "X-XSS-Protection",
];
const cachedByOtherRules = ["any", "asset", "fragment"];

it("writes the operators' table of the headers of each class of answers", async () => {
  const origin = "https://assets.example";
  const { app: apart, deps: settings } = await createTestApp({
    assets: { ...deps.assets, origin },
    openMailTransport: () => ({ send: async () => undefined, find: async () => undefined, close: () => undefined }),
  });
  const ops = createOpsApp(settings);
  /** The classes by value, by header. */
  const table = new Map(listed.map((name) => [name, new Map<string, Set<string>>()]));
  for (const [routes, method, path] of answers) {
    const asked = request(routes === "metrics" ? ops : apart)[method](path);
    const { headers } = await asked.set("Host", "de.localhost");
    for (const [name, classes] of table) {
      if (name === "Cache-Control" && cachedByOtherRules.includes(routes)) continue;
      const value = String(headers[name.toLowerCase()] ?? "")
        .replaceAll(origin, "<assets>")
        .replace(/'nonce-[\w+/=]+'/, "'nonce-<nonce>'")
        .replace(settings.hsts ?? "", "<HSTS>");
      classes.set(value, (classes.get(value) ?? new Set()).add(routes));
    }
  }
  const names = [...new Set(answers.map(([routes]) => routes))];
  const rows = [...table].flatMap(([name, classes]) => {
    const ofClasses = [...classes].toSorted(([, some], [, others]) => some.size - others.size);
    const all = ofClasses.flatMap(([, some]) => [...some]);
    expect(new Set(all).size, `${name}: answers of a class differ`).toBe(all.length);
    const isEverywhere = !classes.has("") && name !== "Cache-Control";
    return ofClasses
      .filter(([value]) => value !== "")
      .map(([value, some], index, { length }) => {
        const sorted = names.filter((routes) => some.has(routes)).map((routes) => `\`${routes}\``);
        const isRest = isEverywhere && index === length - 1;
        const on = isRest ? (length === 1 ? "all" : "all others") : sorted.join(", ");
        return `| \`${name}\` | \`${value}\` | ${on} |\n`;
      });
  });
  const text = readFileSync("docs/headers.md", "utf8");
  const lines = ["| Header | Value | Class |\n", "|---|---|---|\n", ...rows].join("");
  const written = text.replace(/(?<=<!-- headers -->\n).*?(?=<!-- \/headers -->)/s, lines);
  await expect(written).toMatchFileSnapshot("../../../docs/headers.md");
});

it("Strict-Transport-Security is what the environment says, or not sent", async () => {
  const { app: strict } = await createTestApp({ hsts: "max-age=1; preload" });
  const { app: without } = await createTestApp({ hsts: undefined });
  for (const path of ["/livez", "/fragments/footer/DE", "/login"]) {
    expect((await request(strict).get(path)).headers["strict-transport-security"]).toBe("max-age=1; preload");
    expect((await request(without).get(path)).headers).not.toHaveProperty("strict-transport-security");
  }
});

it("pages name the address for reports, except those with a token, and fragments don't", async () => {
  const reportUrl = "https://reports.example/csp";
  const { app: reporting } = await createTestApp({ reportUrl });
  const headersOf = async (path: string, listener = reporting) =>
    (await request(listener).get(path).set("Host", "de.localhost")).headers;
  for (const path of ["/login", "/m/login", "/preview", "/nowhere", "/newsletter/confirm"]) {
    const headers = await headersOf(path);
    expect(headers["reporting-endpoints"]).toBe(`policy="${reportUrl}"`);
    expect(headers["content-security-policy"]).toContain(`;report-to policy;report-uri ${reportUrl}`);
  }
  const silent = ["/newsletter/confirm?token=x", "/fragments/footer/DE", "/livez", "/service/unknown"];
  for (const headers of [
    ...(await Promise.all(silent.map((path) => headersOf(path)))),
    await headersOf("/login", app),
  ]) {
    expect(headers).not.toHaveProperty("reporting-endpoints");
    expect(headers["content-security-policy"]).not.toContain("report");
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
