import { type ReactNode, useRef } from "react";
import texts from "../../locales/en/preview-panel.json";
import { Notification } from "../widgets/notification/Notification.tsx";

interface MessageAreaProps {
  state: "info" | "success" | "error";
  /** The message; none leaves the area empty. */
  children: ReactNode;
  onDismiss: () => void;
}

/** Says how it went; a click takes the message away, and the focus stays where it was. */
export function MessageArea({ state, children, onDismiss }: MessageAreaProps) {
  const area = useRef<HTMLDivElement>(null);

  function dismiss() {
    area.current?.focus();
    onDismiss();
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the close button is there for the keyboard
    // biome-ignore lint/a11y/useKeyWithClickEvents: as above
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
