import { type RefObject, useLayoutEffect } from "react";

/** Keeps as much room free at an element's place in the page as it takes above it, so that it covers nothing for good. */
export function useReservedRoom(fixed: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const { current } = fixed;
    const place = current?.parentElement;
    if (!current || !place) return;
    const observer = new ResizeObserver(() => {
      place.style.blockSize = `${current.offsetHeight}px`;
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, [fixed]);
}
