import { type PointerEvent, useEffect, useRef } from "react";
import type { Milliseconds } from "../../rules/time.ts";

/** For so long at least a ripple shows, so that a quick tap is seen, too. */
const minimumVisible: Milliseconds = 250;

/**
 * Shows where a button was pressed, for as long as it is pressed and at least 250 ms. The stylesheet draws it around
 * `--sf-ripple-x` and `--sf-ripple-y`, and leaves it out where visitors want less motion.
 * @param reacts - false for a button that does nothing right now
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
