import { type RefObject, useLayoutEffect, useRef, useState } from "react";
import texts from "../../../locales/en/preview-panel.json";
import { Button } from "../../widgets/button/Button.tsx";
import { IconButton } from "../../widgets/icon-button/IconButton.tsx";
import { ChangeButtons } from "./ChangeButtons.tsx";
import { MessageArea } from "./MessageArea.tsx";
import { type GroupChoice, leavePreview, type PreviewState, setPreview } from "./preview-service.ts";
import { SettingsModal } from "./SettingsModal.tsx";
import { ShareModal } from "./ShareModal.tsx";
import { describeTime } from "./zoned-time.ts";

interface PreviewBarProps {
  state: PreviewState;
  site: string;
  locale: string;
  timeZone: string;
  /** Called when the preview has changed. */
  onApply: () => void;
  /** Called when staff have logged out. */
  onLogOut: () => void;
}

/** The bar that shows what is previewed, and lets staff change it. */
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

const key = "storefront.preview-minimised";

/** Whether the bar is minimised, stored in the browser. */
function useMinimised(): [boolean, (minimised: boolean) => void] {
  const [minimised, setMinimised] = useState(readMinimised);
  return [
    minimised,
    (now) => {
      setMinimised(now);
      try {
        localStorage.setItem(key, String(now));
      } catch {
        // Storage may be full or forbidden. Then only this page remembers the choice.
      }
    },
  ];
}

function readMinimised(): boolean {
  try {
    return localStorage.getItem(key) === "true";
  } catch {
    return false;
  }
}

/**
 * Keeps the parent of a fixed element as high as the element, which would otherwise cover the end of the page. Sets
 * `--sf-preview-room` of the page to the same height.
 */
function useReservedRoom(fixed: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const { current } = fixed;
    const place = current?.parentElement;
    if (!current || !place) return;
    const page = document.documentElement;
    const observer = new ResizeObserver(() => {
      const room = `${current.offsetHeight}px`;
      place.style.blockSize = room;
      page.style.setProperty("--sf-preview-room", room);
    });
    observer.observe(current);
    return () => {
      observer.disconnect();
      page.style.removeProperty("--sf-preview-room");
    };
  }, [fixed]);
}

/** Previews another moment, or leaves the preview: calls the service and reloads the page, or reports a failure. */
function useShowing() {
  const [progress, setProgress] = useState<"none" | "busy" | "failed">("none");

  async function run(choose: () => Promise<string>) {
    if (progress === "busy") return false;
    setProgress("busy");
    const isDone = (await choose()) === "SUCCESS";
    if (!isDone) setProgress("failed");
    return isDone;
  }

  return {
    async show(dateTime: Temporal.Instant, select: () => Promise<GroupChoice>) {
      if (!(await run(async () => setPreview(dateTime.toString(), await select())))) return;
      // Except on the demo's home page, all that changes is in the footer. The reloaded page keeps its scroll position.
      document.querySelector("[data-fragment=footer]")?.scrollIntoView();
      location.reload();
    },
    async leave() {
      if (await run(leavePreview)) location.reload();
    },
    failed: progress === "failed",
    dismiss: () => setProgress("none"),
  };
}
