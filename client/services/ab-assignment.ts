const address = "/service/abtestfrontend/api/v1/getassignment";

let requested = false;

/** Asks once per page that the visitor gets A/B groups, when the page has loaded; nobody waits for the answer. */
export function requestAssignment(root: Document): void {
  if (requested) return;
  requested = true;
  // Read to its end: until then the browser keeps the connection.
  const request = () =>
    fetch(address, { priority: "low" })
      .then((answer) => answer.text())
      .catch(() => {});
  if (root.readyState === "complete") request();
  else window.addEventListener("load", request);
}
