/** A request that the service takes, or nearly: what is fuzzed starts from one of these. */
export interface Route {
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
  ...["confirm", "refuse", "unsubscribe"].map((action) => `/newsletter/${action}?token=${token}`),
  ...["confirmed", "refused", "unsubscribed", "resent"].map((outcome) => `/newsletter/${outcome}`),
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
export const routes: readonly Route[] = [
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
  { method: "POST", path: "/view", form: { view: "mobile" } },
  { method: "POST", path: "/preview", form: { user: "staff@shop.example", password, share: token } },
];
