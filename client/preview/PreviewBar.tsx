import { useRef, useState } from "react";
import texts from "../../locales/en/preview-panel.json";
import type { PreviewState } from "../services/preview-service.ts";
import { Button } from "../widgets/button/Button.tsx";
import { IconButton } from "../widgets/icon-button/IconButton.tsx";
import { ChangeButtons } from "./ChangeButtons.tsx";
import { describeTime } from "./describe-time.ts";
import { MessageArea } from "./MessageArea.tsx";
import { SettingsModal } from "./SettingsModal.tsx";
import { ShareModal } from "./ShareModal.tsx";
import { useMinimised } from "./use-minimised.ts";
import { useReservedRoom } from "./use-reserved-room.ts";
import { useShowing } from "./use-showing.ts";

interface PreviewBarProps {
  state: PreviewState;
  site: string;
  locale: string;
  timeZone: string;
  /** Called when something else is previewed now. */
  onApply: () => void;
  /** Called when staff have logged out. */
  onLogOut: () => void;
}

/** The bar that always says what is previewed, and from which staff change it. */
export function PreviewBar({ state, site, locale, timeZone, onApply, onLogOut }: PreviewBarProps) {
  const bar = useRef<HTMLDivElement>(null);
  const [minimised, setMinimised] = useMinimised();
  const [opened, setOpened] = useState<"settings" | "share">();
  const { show, leave, failed, dismiss } = useShowing();
  useReservedRoom(bar);
  const close = () => setOpened(undefined);

  return (
    <div ref={bar} className="sf-preview-fixed sf-preview-bar" data-live={state.isLive} data-minimised={minimised}>
      <IconButton
        label={minimised ? texts.restore : texts.minimise}
        icon={minimised ? "chevron-up" : "chevron-down"}
        size="small"
        onClick={() => setMinimised(!minimised)}
      />
      <p className="sf-preview-state">
        <strong>{describeMoment(state, timeZone)}</strong> <span>{describeSelection(state)}</span>
      </p>
      {!minimised && (
        <div className="sf-preview-actions">
          <ChangeButtons site={site} locale={locale} state={state} timeZone={timeZone} onChoose={show} />
          {!state.isLive && (
            <>
              <Button size="small" variant="secondary" onClick={() => setOpened("share")}>
                {texts.share}
              </Button>
              <Button size="small" variant="secondary" onClick={leave}>
                {texts.leave}
              </Button>
            </>
          )}
          <Button size="small" onClick={() => setOpened("settings")}>
            {texts.settings}
          </Button>
        </div>
      )}
      <MessageArea state="error" onDismiss={dismiss}>
        {failed && texts["apply.failed"]}
      </MessageArea>
      {opened === "settings" && (
        <SettingsModal state={state} timeZone={timeZone} onApply={onApply} onLogOut={onLogOut} onClose={close} />
      )}
      {opened === "share" && <ShareModal timeZone={timeZone} onClose={close} />}
    </div>
  );
}

function describeMoment({ dateTime, isLive }: PreviewState, timeZone: string): string {
  return isLive ? texts["state.live"] : `${texts["state.preview"]} ${describeTime(dateTime, timeZone)}`;
}

function describeSelection({ test, group }: PreviewState): string {
  return test && `${test}: ${group}`;
}
