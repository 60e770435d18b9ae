/**
 * The paths below /service/ that this service answers; all others are pages of the shop. The recipes of docs/include.md
 * route the same ones.
 */
export const servicePaths = [
  "newsletter/api",
  "newsletterfrontend/newslettersubscriptionform",
  "promotion",
  "customerfrontenddata",
  "login",
  "preview",
  "abtestfrontend",
  "footer-images",
];

/** Every path that an edge sends to this service: each that ends with a slash with all below it, the others alone. */
export const edgeRoutes = [
  ...["/assets/", "/fragments/"],
  ...servicePaths.map((path) => `/service/${path}/`),
  ...["/newsletter", "/newsletter/", "/subscribenewsletter"],
  ...["/login", "/m/login", "/logout", "/view", "/countries", "/preview"],
];
