import { useEffect, useEffectEvent } from "react";

/**
 * Reports what a visitor chose, or the browser filled in, before React listened: hydration keeps it in the control but
 * tells nobody.
 * @param known - what the component was rendered with
 * @param read - gives what the control holds
 * @param report - is called once at most, with what the control holds instead
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
