import { type RefObject, useLayoutEffect } from "react";

/**
 * Makes the parent of a fixed element as high as the element, so that it never covers the end of the page. The page's
 * `--sf-preview-room` has the same height.
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
