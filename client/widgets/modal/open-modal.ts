import { keepTabInside } from "./keep-tab-inside.ts";
import { lockScroll } from "./lock-scroll.ts";

/** The dialogs that are open, the uppermost last. */
const opened: HTMLDialogElement[] = [];
let unlockScroll: () => void;

/**
 * Opens a dialog above the page, and above other dialogs that are open. As long as one is open, the page doesn't scroll
 * and Tab stays in the uppermost one.
 * @returns a function that closes the dialog, which gives the focus back
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
