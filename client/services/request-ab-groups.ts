/**
 * Asks the service to put the visitor into groups of A/B tests, which it keeps in cookies; the answer says nothing. Every
 * page does, so this is no `callService`, which would be a tenth of every page's script.
 */
export function requestAbGroups(): void {
  fetch("/service/abtestfrontend/api/v1/getassignment", { priority: "low" })
    // Until then the browser keeps the connection.
    .then((answer) => answer.text())
    .catch(() => {});
}
