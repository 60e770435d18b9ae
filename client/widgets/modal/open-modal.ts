import { keepTabInside } from "./keep-tab-inside.ts";
import { lockScroll } from "./lock-scroll.ts";

/** Those that are open, the uppermost last. */
const opened: HTMLDialogElement[] = [];
let unlockScroll: () => void;

/**
 * Opens a dialog above the page, and above those that are open already. As long as one is, the page doesn't scroll and
 * Tab stays in the uppermost.
 * @returns closes it, which gives the focus back
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

/** On the document: a click on a text inside leaves the focus with the body. */
function onKeyDown(event: KeyboardEvent): void {
  const uppermost = opened.at(-1);
  if (event.key === "Tab" && uppermost) keepTabInside(uppermost, event);
}
