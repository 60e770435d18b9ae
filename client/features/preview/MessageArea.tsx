import { type ReactNode, useRef } from "react";
import texts from "../../../locales/en/preview-panel.json";
import { Notification } from "../../widgets/notification/Notification.tsx";

interface MessageAreaProps {
  state: "info" | "success" | "error";
  /** The message; the area is empty without one. */
  children: ReactNode;
  onDismiss: () => void;
}

/** Tells staff how an action went. A click anywhere on the message dismisses it; the focus moves to the empty area. */
export function MessageArea({ state, children, onDismiss }: MessageAreaProps) {
  const area = useRef<HTMLDivElement>(null);

  function dismiss() {
    area.current?.focus();
    onDismiss();
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the close button is there for the keyboard
    // biome-ignore lint/a11y/useKeyWithClickEvents: the close button is there for the keyboard
    <div ref={area} className="sf-preview-message" tabIndex={-1} onClick={dismiss}>
      <Notification
        role="status"
        variant="copysize"
        state={state}
        label={texts[state]}
        close={{ label: texts["message.close"], onClick: dismiss }}
      >
        {children}
      </Notification>
    </div>
  );
}
