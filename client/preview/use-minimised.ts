import { useState } from "react";

const key = "storefront.preview-minimised";

/** Whether the bar is minimised, which this browser remembers. */
export function useMinimised(): [boolean, (minimised: boolean) => void] {
  const [minimised, setMinimised] = useState(readMinimised);
  return [
    minimised,
    (now) => {
      setMinimised(now);
      try {
        localStorage.setItem(key, String(now));
      } catch {
        // Storage may be full or forbidden: then it holds for this page.
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
