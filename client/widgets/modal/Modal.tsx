import { type MouseEvent, type ReactNode, useId, useLayoutEffect, useRef } from "react";
import { tabbable } from "tabbable";
import { IconButton } from "../icon-button/IconButton.tsx";
import { oneOf } from "../one-of.ts";

export const modalSizes = ["S", "M", "L"] as const;

interface ModalProps {
  open: boolean;
  /** Called on Escape, on a click on the backdrop and by the close button. The parent then sets `open` to false. */
  onClose: () => void;
  /** The dialog's heading and accessible name. */
  title: string;
  closeLabel: string;
  size?: (typeof modalSizes)[number];
  children: ReactNode;
}

/** A dialog above the page, which is inert until the dialog closes. Closing returns the focus. */
export function Modal({ open, onClose, title, closeLabel, size, children }: ModalProps) {
  const titleId = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const pressedBeside = useRef(false);

  // A layout effect is cleaned up while the dialog is still in the page, so a removed dialog also returns the focus.
  useLayoutEffect(() => {
    if (open && dialog.current) return openModal(dialog.current);
  }, [open]);

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard's way to close it is Escape
    <dialog
      ref={dialog}
      className="sf-modal"
      data-size={oneOf("modal size", modalSizes, size, "M")}
      aria-labelledby={titleId}
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        onClose();
      }}
      // The browser itself closes the dialog at a second Escape, and when a form with the method dialog is submitted.
      onClose={(event) => event.target === event.currentTarget && open && onClose()}
      onPointerDown={(event) => {
        pressedBeside.current = isBeside(event);
      }}
      onClick={(event) => pressedBeside.current && isBeside(event) && onClose()}
    >
      <div className="sf-modal-header">
        <h2 className="sf-modal-title" id={titleId}>
          {title}
        </h2>
        <IconButton label={closeLabel} icon="close" onClick={onClose} />
      </div>
      <div className="sf-modal-content">{children}</div>
    </dialog>
  );
}

/** Whether an event hit a dialog's backdrop: its target is the dialog, but it lies outside the dialog's box. */
function isBeside({ target, currentTarget, clientX, clientY }: MouseEvent<HTMLElement>): boolean {
  const { left, right, top, bottom } = currentTarget.getBoundingClientRect();
  const inside = left <= clientX && clientX <= right && top <= clientY && clientY <= bottom;
  return target === currentTarget && !inside;
}

/** The open dialogs, the topmost last. */
const opened: HTMLDialogElement[] = [];
let unlockScroll: () => void;

/**
 * Opens a dialog above the page and above other open dialogs. While it is open, the page doesn't scroll and Tab stays
 * in the topmost dialog.
 * @returns a function that closes the dialog, which returns the focus
 */
function openModal(dialog: HTMLDialogElement): () => void {
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
 * Listens on the document, because the body has the focus after a click on text in the dialog. WebKitGTK identifies
 * Shift+Tab by its code alone.
 */
function onKeyDown(event: KeyboardEvent): void {
  const uppermost = opened.at(-1);
  if ((event.key === "Tab" || event.code === "Tab") && uppermost) keepTabInside(uppermost, event);
}

/** Moves the focus from the last stop of a dialog to its first, and back, when Tab would leave the page. */
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
 * Stops the page from scrolling. Its content doesn't move, because the scrollbar's room is kept.
 * @returns a function that restores scrolling
 */
function lockScroll(): () => void {
  const root = document.documentElement;
  const before = locked.map((property) => [property, root.style.getPropertyValue(property)] as const);
  // Without a scrollbar, a gutter would itself move the content.
  if (window.innerWidth > root.clientWidth) root.style.setProperty("scrollbar-gutter", "stable");
  root.style.setProperty("overflow", "hidden");
  return () => {
    for (const [property, value] of before) root.style.setProperty(property, value);
  };
}
