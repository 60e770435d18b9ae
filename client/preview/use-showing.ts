import { useState } from "react";
import { type Selection, setPreview } from "../services/preview-service.ts";

/** Shows the page as at another moment: `show` chooses it and loads the page anew, or says that it failed. */
export function useShowing() {
  const [progress, setProgress] = useState<"none" | "busy" | "failed">("none");

  async function show(dateTime: Temporal.Instant | null, selection?: Selection) {
    setProgress("busy");
    const status = await setPreview(dateTime?.toString() ?? null, selection);
    if (status === "SUCCESS") location.reload();
    else setProgress("failed");
  }

  return { show, busy: progress === "busy", failed: progress === "failed", dismiss: () => setProgress("none") };
}
