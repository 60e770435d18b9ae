import { useState } from "react";
import texts from "../../locales/en/preview-panel.json";
import { Modal } from "../widgets/modal/Modal.tsx";
import { SettingsForm } from "./SettingsForm.tsx";
import type { SettingsProps } from "./use-settings.ts";

interface SettingsModalProps extends SettingsProps {
  onClose: () => void;
}

/** Where staff choose what to preview. The page is loaded anew when they close it with something else chosen. */
export function SettingsModal({ onClose, onApply, ...props }: SettingsModalProps) {
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
