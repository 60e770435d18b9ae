import { tabbable } from "tabbable";

/** The open dialogs, the topmost last. */
const opened: HTMLDialogElement[] = [];
let unlockScroll: () => void;

/**
 * Opens a dialog above the page and above other open dialogs. While one is open, the page doesn't scroll and Tab stays in
 * the topmost dialog.
 * @returns a function that closes the dialog, which returns the focus
 */
export function openModal(dialog: HTMLDialogElement): () => void {
  if (opened.length === 0) {
    unlockScroll = lockScroll();
    document.addEventListener("keydown", onKeyDown);
  }
  opened.push(dialog);
  dialog.showModal();
  return () => {
    dialog.close();
    opened.splice(opened.indexOf(dialog), 1);
    if (opened.length > 0) return;
    document.removeEventListener("keydown", onKeyDown);
    unlockScroll();
  };
}

/**
 * Listens on the document: after a click on a text of the dialog the body has the focus. WebKitGTK knows Shift+Tab by
 * its code alone.
 */
function onKeyDown(event: KeyboardEvent): void {
  const uppermost = opened.at(-1);
  if ((event.key === "Tab" || event.code === "Tab") && uppermost) keepTabInside(uppermost, event);
}

/** Sends Tab from the last stop of a dialog to its first, and back, where the browser would leave the page. */
function keepTabInside(dialog: HTMLElement, event: KeyboardEvent): void {
  const stops = tabbable(dialog);
  const goal = stops.at(event.shiftKey ? 0 : -1);
  const from = document.activeElement;
  const onTheWay = event.shiftKey ? Node.DOCUMENT_POSITION_PRECEDING : Node.DOCUMENT_POSITION_FOLLOWING;
  if (!goal || (from && dialog.contains(from) && from.compareDocumentPosition(goal) & onTheWay)) return;
  event.preventDefault();
  stops.at(event.shiftKey ? -1 : 0)?.focus();
}

const locked = ["overflow", "scrollbar-gutter"] as const;

/**
 * Stops the page from scrolling. Its content stays in place, because the scrollbar's room is kept.
 * @returns a function that restores scrolling
 */
function lockScroll(): () => void {
  const root = document.documentElement;
  const before = locked.map((property) => [property, root.style.getPropertyValue(property)] as const);
  // A gutter where there was no scrollbar would itself move the content.
  if (window.innerWidth > root.clientWidth) root.style.setProperty("scrollbar-gutter", "stable");
  root.style.setProperty("overflow", "hidden");
  return () => {
    for (const [property, value] of before) root.style.setProperty(property, value);
  };
}
