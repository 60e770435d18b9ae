/**
 * What below /service/ is answered here; everything else there is a page of the shop. docs/include.md routes the same,
 * and nothing else: test/docs/snippets.test.ts
 */
export const serviceFolders = [
  "newsletter/api",
  "newsletterfrontend/newslettersubscriptionform",
  "promotion",
  "customerfrontenddata",
  "login",
  "preview",
  "abtestfrontend",
  "footer-images",
] as const;

const own = new RegExp(`^/service/(${serviceFolders.join("|")})/`, "i");

/** Tells whether an address below /service/ is for a call or a file of ours. */
export function isServiceCall(url: string): boolean {
  return own.test(url);
}
