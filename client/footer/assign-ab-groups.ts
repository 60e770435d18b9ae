import { requestAbGroups } from "../services/request-ab-groups.ts";

let requested = false;

/** Has the visitor put into groups of A/B tests, once per page, when the page has loaded. */
export function assignAbGroups(page: Document): void {
  if (requested) return;
  requested = true;
  if (page.readyState === "complete") void requestAbGroups();
  else window.addEventListener("load", requestAbGroups);
}
