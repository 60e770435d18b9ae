import fc from "fast-check";
import { findSites } from "../../server/config/country-files.ts";
import { cookieNames, headerNames, type Sent } from "./send-request.ts";

/** A valid, or nearly valid, request from which fuzzing starts. */
interface Route {
  method: string;
  path: string;
  json?: Record<string, unknown>;
  form?: Record<string, string>;
}

const token = "abcdefghijklmnopqrstuvwxyz012345";
const password = "correct horse battery staple";
const newsletter = "/service/newsletter/api/internal/newsletter-subscribers";
const login = "/service/login/api/v1";
const preview = "/service/preview/api";
const person = { salutation: "MRS", firstName: "Ada", lastName: "Beispiel" };

const gets = [
  "/",
  "/?fragment=footer&site=DE&answer=content&width=375",
  "/livez",
  "/readyz",
  "/fragments/footer?site=DE&reduced=true&platform=CLASSIC&newsletter=false&preview=true",
  "/fragments/footer/TR",
  "/fragments/newsletter?site=CH_FR&origin=NEWSLETTER&originAddition=footer",
  "/fragments/head/PL",
  "/fragments/footer/DE/manifest.json",
  "/fragments/newsletter/AT/fallback",
  "/assets/unknown.js",
  "/login?redirect=/bag&site=CZ",
  "/m/login",
  "/subscribenewsletter?site=HU",
  ...["confirm", "refuse", "unsubscribe", "preferences"].map((action) => `/newsletter/${action}?token=${token}`),
  ...["confirmed", "refused", "unsubscribed", "resent"].map((outcome) => `/newsletter/${outcome}`),
  "/newsletter/preferences/requested",
  `/preview?share=${token}`,
  "/widgets",
  "/widgets/button",
  "/outbox",
  "/service/privacy",
  "/service/footer-images/logos/dhl.svg",
  `${newsletter}/${token}`,
  "/service/newsletter/api/private/customers/base-data",
  "/service/newsletter/api/private/customers/newsletter-status",
  "/service/customerfrontenddata/api/v1/psdata",
  "/service/promotion/api/promotion/SHOP_FOOTER",
  `${preview}/auth/checkauth`,
  `${preview}/changes?after=2026-12-24T18:00:00Z`,
  "/service/abtestfrontend/api/v1/gettestsat?time=2026-12-24T18:00:00Z",
  "/service/abtestfrontend/api/v1/getassignment",
];

/** Every kind of address that the service knows, and some that it doesn't. */
const routes: readonly Route[] = [
  ...gets.map((path) => ({ method: "GET", path })),
  {
    method: "POST",
    path: newsletter,
    json: { email: "ada@shop.example", ...person, consents: ["NEWSLETTER"], origin: "NEWSLETTER", categories: [] },
  },
  { method: "PUT", path: `${newsletter}/${token}`, json: { ...person, consents: ["DNE"] } },
  { method: "PUT", path: `${newsletter}/${token}/doi`, json: {} },
  { method: "POST", path: `${newsletter}/${token}/opened` },
  { method: "POST", path: `${newsletter}/${token}/unsubscribe`, form: { "List-Unsubscribe": "One-Click" } },
  { method: "POST", path: `${login}/login`, json: { email: "ada@shop.example", password, stayLoggedIn: true } },
  ...["logintoken/renew", "longtermtoken/renew", "logout"].map((call) => ({
    method: "POST",
    path: `${login}/${call}`,
    json: {},
  })),
  { method: "POST", path: `${preview}/auth/login`, json: { user: "staff@shop.example", password } },
  ...["auth/login/renew", "auth/logout"].map((call) => ({ method: "POST", path: `${preview}/${call}`, json: {} })),
  {
    method: "POST",
    path: `${preview}/token?test=footer-promotion&group=A`,
    json: { previewDateTime: "2026-12-24T18:00:00.000Z" },
  },
  { method: "POST", path: `${preview}/share`, json: { path: "/bag" } },
  { method: "POST", path: "/login", form: { email: "ada@shop.example", password, stayLoggedIn: "on", site: "DE" } },
  { method: "POST", path: "/logout", form: {} },
  { method: "POST", path: "/newsletter", form: { email: "ada@shop.example", ...person, consents: "NEWSLETTER" } },
  ...["confirm", "refuse", "unsubscribe", "resend"].map((action) => ({
    method: "POST",
    path: `/newsletter/${action}`,
    form: { token },
  })),
  {
    method: "POST",
    path: "/newsletter/preferences",
    form: { token, ...person, consents: "DNE", categories: "COFFEE" },
  },
  { method: "POST", path: "/newsletter/preferences", form: { email: "ada@shop.example", site: "DE" } },
  { method: "POST", path: "/view", form: { view: "mobile" } },
  { method: "POST", path: "/preview", form: { user: "staff@shop.example", password, share: token } },
];

/** A text that must never come back as markup. */
export const marker = "mk7";

const sites = findSites("countries");
const siteHosts = sites.flatMap((code) => {
  const name = code.toLowerCase().replace("_", "-");
  return [`${name}.localhost`, `${name}.storefront.example`];
});
const names = ["__proto__", "constructor", "toString", "site", "email", "consents", "token", "redirect", "answer"];

/** Values that services stumble over, and some that would do harm on a page. */
const nasty = fc.constantFrom(
  ...[`'"><${marker}>`, `</script><${marker}>`, `"><svg onload=${marker}>`, `javascript:${marker}`],
  ...[`//${marker}.example`, `\r\nX-${marker}: 1`, "\0", "\ud800", "\u2028", "\ufeff", "../../../../etc/passwd"],
  ...["..%2f..%2f", "%", "%00", "%ff", "", " ", "-1", "1e309", "NaN", "null", "true", "[object Object]", "{}", "[]"],
  ...['j:{"a":1}', "s:a.b", "{{7*7}}"],
  ...["a".repeat(300), "a@".repeat(3_000), "9".repeat(5_000), "é".repeat(2_000), "🜁".repeat(400), "CLASSIC", "https"],
  ...["eyJhbGciOiJub25lIn0.eyJleHAiOjF9.", "eyJhbGciOiJIUzI1NiJ9.e30.x", "2026-13-45T99:99:99Z", "0000-00-00"],
  ...sites,
);
const text = fc.oneof(
  { weight: 3, arbitrary: nasty },
  fc.string({ unit: "binary" }),
  fc.string({ unit: "grapheme" }),
  fc.emailAddress(),
);
const name = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...names) }, text);
const value = fc.oneof(text, fc.jsonValue(), fc.array(text), fc.dictionary(name, text));

const added = fc.dictionary(name, value, { maxKeys: 2 });
/** Which of the existing fields gets which value. */
const changed = fc.tuple(fc.nat(), value);
const depth = fc.integer({ min: 1, max: 3_000 });
/** Bodies that have nothing in common with the expected ones. */
const strayBody = fc.oneof(
  text,
  fc.json(),
  depth.map((levels) => "[".repeat(levels)),
  depth.map((levels) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`),
  fc.integer({ min: 1, max: 80_000 }).map((length) => `{"email":"${"a".repeat(length)}"}`),
  fc.constant('{"__proto__":{"isAdmin":true},"email":"ada@shop.example"}'),
  fc.integer({ min: 1, max: 2_000 }).map((count) => "a=1&".repeat(count)),
  fc.constantFrom("a[b][c]=1&a[]=2&a[__proto__]=3", "%=%", "=", "&&&", "email=%ff%fe", "consents=1&consents=2"),
);

/** Fuzzes a part of one in some requests, and leaves it unchanged in the others. */
function oneIn<T>(some: number, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: some - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
}

/** A request: one of the routes, with some parts replaced by unexpected values. */
export const fuzzedRequest: fc.Arbitrary<Sent> = fc
  .record({
    route: fc.constantFrom(...routes),
    method: oneIn(10, fc.constantFrom("GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND")),
    segment: oneIn(8, text),
    added: oneIn(3, added),
    changed: oneIn(2, changed),
    body: oneIn(5, strayBody),
    headers: fc.dictionary(
      fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...headerNames) }, fc.stringMatching(/^[A-Za-z][\w-]{0,20}$/)),
      text.map(sendable),
      { maxKeys: 3 },
    ),
    cookies: fc.dictionary(fc.constantFrom(...cookieNames), text.map(sendable), { maxKeys: 3 }),
    // Most routes refuse other hosts outside production.
    host: fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...siteHosts, "localhost", "127.0.0.1") }, fc.domain()),
    network: fc.ipV4(),
  })
  .map(({ route, method, body, segment, network, host, cookies, headers, ...change }) => ({
    method: method ?? route.method,
    path: pathOf(route, segment, change),
    headers: {
      "X-Forwarded-For": network,
      "X-hunter-csrf": "1",
      "Sec-Fetch-Site": "same-origin",
      "Content-Type": route.form ? "application/x-www-form-urlencoded" : "application/json",
      Accept: "text/html",
      ...headers,
      Cookie: Object.entries(cookies)
        .map(([cookie, content]) => `${cookie}=${content}`)
        .join("; "),
      Host: host,
    },
    body: body ?? bodyOf(route, change),
  }));

interface Change {
  added: Record<string, unknown> | undefined;
  changed: [number, unknown] | undefined;
}

function pathOf({ path }: Route, segment: string | undefined, change: Change): string {
  const [address = "", search = ""] = path.split("?");
  const below = segment === undefined ? address : `${address.replace(/[^/]+$/, "")}${sendable(escaped(segment))}`;
  const query = fieldsOf(Object.fromEntries(new URLSearchParams(search)), change);
  const fields = query.map(([key, content]) => `${escaped(key)}=${escaped(content)}`);
  return fields.length > 0 ? `${below}?${fields.join("&")}` : below;
}

function bodyOf({ json, form }: Route, change: Change): string | undefined {
  if (json) return JSON.stringify(apply(json, change));
  return form && new URLSearchParams(fieldsOf(form, change)).toString();
}

function fieldsOf(fields: Record<string, unknown>, change: Change): [string, string][] {
  return Object.entries(apply(fields, change)).map(([key, content]) => [
    key,
    typeof content === "string" ? content : JSON.stringify(content),
  ]);
}

function apply(fields: Record<string, unknown>, { added, changed }: Change): Record<string, unknown> {
  const keys = Object.keys(fields);
  const [index = 0, content] = changed ?? [];
  const key = changed && keys[index % keys.length];
  return { ...fields, ...(key !== undefined && { [key]: content }), ...added };
}

/** Percent-encodes a text. Half a surrogate pair becomes bytes that aren't UTF-8. */
function escaped(content: string): string {
  return content.isWellFormed() ? encodeURIComponent(content).replaceAll("%25", "%") : "%ED%A0%80";
}

/** Drops what Node's client refuses to send; malformed requests are sent by send-malformed.ts. */
function sendable(content: string): string {
  return content.replaceAll(/[^!-~\u00a0-\u00ff]/g, "").slice(0, 4_000);
}
