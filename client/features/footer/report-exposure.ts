import { track } from "../../host-page/track.ts";

/** A browser calls an observer when the visible part of a footer passes one of these. */
const steps = Array.from({ length: 201 }, (_, step) => step / 200);

let isReported = false;

/**
 * Reports once per page that a visitor has seen the footer of a group of an A/B test: half of it, or half of the window
 * filled by it. Makes no identifier, and stores nothing.
 * @param variant - `<test>:<group>`
 */
export function reportExposure(footer: HTMLElement, variant: string): void {
  const observer = new IntersectionObserver(
    (entries) => {
      if (!isReported && !entries.some(isSeen)) return;
      observer.disconnect();
      if (isReported) return;
      isReported = true;
      const [test = "", group = ""] = variant.split(":");
      track({ event: "experiment_impression", test, group, emitter: "footer" });
    },
    { threshold: steps },
  );
  observer.observe(footer);
}

function isSeen({ intersectionRatio, intersectionRect: seen, rootBounds: view }: IntersectionObserverEntry): boolean {
  if (intersectionRatio >= 0.5) return true;
  return view !== null && seen.width * seen.height >= (view.width * view.height) / 2;
}
