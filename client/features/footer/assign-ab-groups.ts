/** Requests the visitor's groups of A/B tests when the page has loaded. */
export function assignAbGroups(page: Document): void {
  if (page.readyState === "complete") requestAbGroups();
  else window.addEventListener("load", requestAbGroups);
}

/**
 * Requests the visitor's groups of A/B tests, which the service stores in cookies. Every page does so, and `callService`
 * would be a tenth of every page's script.
 */
function requestAbGroups(): void {
  fetch("/service/abtestfrontend/api/v1/getassignment", { priority: "low" })
    // Reading the answer frees the connection.
    .then((answer) => answer.text())
    .catch(() => {});
}
