import { useState } from "react";
import texts from "../../../locales/en/preview-panel.json";
import { Modal } from "../../widgets/modal/Modal.tsx";
import { SettingsForm } from "./SettingsForm.tsx";
import type { SettingsProps } from "./use-settings.ts";

/** The dialog in which staff select what to preview. Closing it reloads the page if the preview has changed. */
export function SettingsModal({ onClose, onApply, ...props }: SettingsProps & { onClose: () => void }) {
  const [applied, setApplied] = useState(false);
  return (
    <Modal
      size="S"
      title={texts.settings}
      closeLabel={texts.close}
      open
      onClose={() => {
        onClose();
        if (applied) location.reload();
      }}
    >
      <SettingsForm
        {...props}
        onApply={() => {
          setApplied(true);
          onApply();
        }}
      />
    </Modal>
  );
}
