import { useState } from "react";
import { type GroupChoice, leavePreview, type PreviewStatus, setPreview } from "../services/preview-service.ts";

/** Shows the page at another moment, or as it is: tells the service and loads the page anew, or says that it failed. */
export function useShowing() {
  const [progress, setProgress] = useState<"none" | "busy" | "failed">("none");

  function show(dateTime: Temporal.Instant, selection: GroupChoice) {
    return run(() => setPreview(dateTime.toString(), selection));
  }

  async function run(choose: () => Promise<PreviewStatus>) {
    if (progress === "busy") return;
    setProgress("busy");
    const status = await choose();
    if (status === "SUCCESS") location.reload();
    else setProgress("failed");
  }

  return {
    show,
    leave: () => run(leavePreview),
    failed: progress === "failed",
    dismiss: () => setProgress("none"),
  };
}
