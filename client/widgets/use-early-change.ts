import { useEffect, useEffectEvent } from "react";

/**
 * Reports what the visitor or the browser changed before hydration, which keeps the control's value but calls no handler.
 * @param known - the rendered value
 * @param read - reads the control's value
 * @param report - called at most once, with a different value
 */
export function useEarlyChange<Value>(
  known: Value,
  read: () => Value | undefined,
  report: ((value: Value) => void) | undefined,
): void {
  const compare = useEffectEvent(() => {
    const held = read();
    if (held !== undefined && held !== known) report?.(held);
  });
  useEffect(() => compare(), []);
}
