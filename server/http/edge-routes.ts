/**
 * The paths below /service/ that this service answers. All others are pages of the shop. The recipes of docs/include.md
 * route the same paths.
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

/** Every path that an edge sends to this service. A path that ends with a slash includes all paths below it. */
export const edgeRoutes = [
  ...["/assets/", "/fragments/"],
  ...servicePaths.map((path) => `/service/${path}/`),
  ...["/newsletter", "/newsletter/", "/subscribenewsletter"],
  ...["/login", "/m/login", "/logout", "/view", "/countries", "/preview"],
];
