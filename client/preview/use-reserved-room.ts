import { type RefObject, useLayoutEffect } from "react";

/**
 * Keeps as much room free at an element's place in the page as it takes above it, so that it covers nothing for good;
 * the page's `--sf-preview-room` is that much, too.
 */
export function useReservedRoom(fixed: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const { current } = fixed;
    const place = current?.parentElement;
    if (!current || !place) return;
    const page = document.documentElement;
    const observer = new ResizeObserver(() => {
      const room = `${current.offsetHeight}px`;
      place.style.blockSize = room;
      page.style.setProperty("--sf-preview-room", room);
    });
    observer.observe(current);
    return () => {
      observer.disconnect();
      page.style.removeProperty("--sf-preview-room");
    };
  }, [fixed]);
}
