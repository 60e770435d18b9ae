import { useEffect, useState } from "react";
import type { Milliseconds } from "../../rules/time.ts";

/** Gives a value once it hasn't changed for a while: for messages that would be read out too often. */
export function useSettled<T>(value: T, pause: Milliseconds): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pause);
    return () => clearTimeout(timer);
  }, [value, pause]);
  return settled;
}
