import { type MouseEvent, type ReactNode, useId, useLayoutEffect, useRef } from "react";
import { IconButton } from "../icon-button/IconButton.tsx";
import { oneOf } from "../one-of.ts";
import { openModal } from "./open-modal.ts";

export const modalSizes = ["S", "M", "L"] as const;

export interface ModalProps {
  open: boolean;
  /** Called on Escape, on a click on the backdrop and by the close button; set `open` to false then. */
  onClose: () => void;
  /** Its heading and accessible name. */
  title: string;
  closeLabel: string;
  size?: (typeof modalSizes)[number];
  children: ReactNode;
}

/** A dialog above the page, which is inert meanwhile. Closing it returns the focus. */
export function Modal({ open, onClose, title, closeLabel, size = "M", children }: ModalProps) {
  const titleId = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const pressedBeside = useRef(false);

  // A layout effect ends while the dialog is still in the page: one that is taken away gives the focus back, too.
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
      // The browser closes it by itself at a second Escape, and for a form whose method is dialog.
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

/** Tells whether an event hit a dialog's backdrop: its target is the dialog, and it lies outside the dialog's box. */
function isBeside({ target, currentTarget, clientX, clientY }: MouseEvent<HTMLElement>): boolean {
  const { left, right, top, bottom } = currentTarget.getBoundingClientRect();
  const inside = left <= clientX && clientX <= right && top <= clientY && clientY <= bottom;
  return target === currentTarget && !inside;
}
