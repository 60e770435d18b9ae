import { requestAbGroups } from "../services/request-ab-groups.ts";

/** Has the visitor put into groups of A/B tests when the page has loaded. */
export function assignAbGroups(page: Document): void {
  if (page.readyState === "complete") requestAbGroups();
  else window.addEventListener("load", requestAbGroups);
}
