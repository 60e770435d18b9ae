import { type PointerEvent, useEffect, useRef } from "react";
import type { Milliseconds } from "../../rules/time.ts";

/** The minimum time for which a ripple is shown, for quick taps. */
const minimumVisible: Milliseconds = 250;

/**
 * Shows where a button was pressed, while it is pressed and for at least 250 ms. The stylesheet draws the ripple around
 * `--sf-ripple-x` and `--sf-ripple-y`, unless visitors prefer less motion.
 * @param reacts - false for a button that does nothing at the moment
 */
export function useRipple(reacts: boolean) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const started = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);

  function start({ currentTarget, clientX, clientY }: PointerEvent<HTMLElement>) {
    if (!reacts) return;
    clearTimeout(timer.current);
    const { left, top } = currentTarget.getBoundingClientRect();
    currentTarget.style.setProperty("--sf-ripple-x", `${clientX - left}px`);
    currentTarget.style.setProperty("--sf-ripple-y", `${clientY - top}px`);
    currentTarget.dataset.ripple = "";
    started.current = performance.now();
  }

  function end({ currentTarget }: PointerEvent<HTMLElement>) {
    clearTimeout(timer.current);
    const rest = minimumVisible - (performance.now() - started.current);
    timer.current = setTimeout(() => delete currentTarget.dataset.ripple, Math.max(rest, 0));
  }

  return { onPointerDown: start, onPointerUp: end, onPointerLeave: end, onPointerCancel: end };
}
