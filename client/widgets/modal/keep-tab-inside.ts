import { tabbable } from "tabbable";

/** Sends Tab from the last stop of a dialog to its first, and back, where the browser would leave the page. */
export function keepTabInside(dialog: HTMLElement, event: KeyboardEvent): void {
  const stops = tabbable(dialog);
  const goal = stops.at(event.shiftKey ? 0 : -1);
  const from = document.activeElement;
  const onTheWay = event.shiftKey ? Node.DOCUMENT_POSITION_PRECEDING : Node.DOCUMENT_POSITION_FOLLOWING;
  if (!goal || (from && dialog.contains(from) && from.compareDocumentPosition(goal) & onTheWay)) return;
  event.preventDefault();
  stops.at(event.shiftKey ? -1 : 0)?.focus();
}
