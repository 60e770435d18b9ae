import type { ReactNode } from "react";
import { Icon } from "../../icons/Icon.tsx";
import { IconButton } from "../icon-button/IconButton.tsx";
import { besidesDefault, oneOf } from "../one-of.ts";

export const notificationVariants = ["banner", "copysize", "footnotesize"] as const;
export const notificationStates = ["info", "success", "error", "warning"] as const;

interface NotificationProps {
  /** The state in a word, for screen readers. Sighted users see an icon. */
  label: string;
  /** The message, with links where they help. */
  children?: ReactNode;
  variant?: (typeof notificationVariants)[number];
  state?: (typeof notificationStates)[number];
  /**
   * Makes it a live region. Render it from the start without a message: the region stays in the page, empty, and screen
   * readers announce what is put into it later. A region that is inserted with its message is often not announced.
   */
  role?: "status" | "alert";
  /** Adds a close button; the caller removes the message. */
  close?: { label: string; onClick: () => void };
}

/** A message about a result, or a piece of information. */
export function Notification({ label, children, role, close, ...props }: NotificationProps) {
  const variant = besidesDefault("notification variant", notificationVariants, props.variant, "banner");
  const state = oneOf("notification state", notificationStates, props.state, "info");
  const message = children && (
    <div className="sf-notification" data-variant={variant} data-state={state}>
      <Icon name={state} size={variant ? 16 : 24} />
      <div className="sf-notification-text">
        <span className="sf-visually-hidden">{label}: </span>
        {children}
      </div>
      {close && <IconButton icon="close" size="small" {...close} />}
    </div>
  );
  return role ? <div role={role}>{message}</div> : message;
}
