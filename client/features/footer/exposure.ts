/**
 * Reports once per page that a visitor has seen the footer of a group of an A/B test: half of it, or half of the window
 * filled by it. Makes no identifier, and stores nothing. Runs when it is loaded, because a function to call would make
 * the script of every page larger.
 */
import { onEachFragment } from "../../host-page/fragments.ts";
import { track } from "../../host-page/track.ts";

/** The browser calls the observer when the visible part of a footer passes one of these. */
const steps = Array.from({ length: 201 }, (_, step) => step / 200);

let isReported = false;

const observer = new IntersectionObserver(
  (entries) => {
    const seen = entries.find(isSeen)?.target;
    if (!(seen instanceof HTMLElement) || isReported) return;
    isReported = true;
    observer.disconnect();
    const [test = "", group = ""] = seen.dataset.variant?.split(":") ?? [];
    track({ event: "experiment_impression", test, group, emitter: "footer" });
  },
  { threshold: steps },
);

onEachFragment(document, (fragment) => {
  if (fragment.dataset.variant) observer.observe(fragment);
});

function isSeen({ intersectionRatio, intersectionRect: seen, rootBounds: view }: IntersectionObserverEntry): boolean {
  if (intersectionRatio >= 0.5) return true;
  return view !== null && seen.width * seen.height >= (view.width * view.height) / 2;
}
