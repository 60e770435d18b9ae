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
  ...["/.well-known/security.txt", "/.well-known/change-password"],
  ...["/newsletter", "/newsletter/", "/subscribenewsletter"],
  ...["/login", "/login/callback", "/login/backchannel-logout", "/m/login", "/logout"],
  ...["/view", "/countries", "/preview", "/preview/callback"],
];

/** The folders of the files that fragments load: styles, scripts, pictures. */
const fileRoutes = ["/assets/", "/service/footer-images/", "/service/newsletterfrontend/newslettersubscriptionform/"];

/** Returns whether fragments load files from a path, which may have a query. */
export function isFilePath(path: string): boolean {
  return fileRoutes.some((folder) => path.startsWith(folder));
}
