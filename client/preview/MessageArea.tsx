import texts from "../../locales/en/preview-panel.json";
import { Notification } from "../widgets/notification/Notification.tsx";
import type { SettingsMessage } from "./settings-message.ts";

interface MessageAreaProps {
  message: SettingsMessage | undefined;
  onDismiss: () => void;
}

/** Says how it went; a click takes the message away. */
export function MessageArea({ message, onDismiss }: MessageAreaProps) {
  const { state = "info", text } = message ?? {};
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the close button is there for the keyboard
    // biome-ignore lint/a11y/useKeyWithClickEvents: as above
    <div className="sf-preview-message" onClick={onDismiss}>
      <Notification
        role="status"
        variant="copysize"
        state={state}
        label={texts[state]}
        close={{ label: texts["message.close"], onClick: onDismiss }}
      >
        {text && (
          <span>
            <span>{texts[text]}</span> {text === "apply.success" && <span>{texts["apply.shownOnClose"]}</span>}
          </span>
        )}
      </Notification>
    </div>
  );
}
