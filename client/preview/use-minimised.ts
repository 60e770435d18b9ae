import { useState } from "react";

const key = "storefront.preview-minimised";

/** Tells whether the bar is minimised, and changes that. The browser remembers it. */
export function useMinimised(): [boolean, (minimised: boolean) => void] {
  const [minimised, setMinimised] = useState(readMinimised);
  return [
    minimised,
    (now) => {
      setMinimised(now);
      try {
        localStorage.setItem(key, String(now));
      } catch {
        // Storage may be full or forbidden: then this page alone remembers it.
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
