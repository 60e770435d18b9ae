import { type RefObject, useEffect, useEffectEvent } from "react";

/** Catches up with what happened before React listened: a field in use, an address typed or filled in by the browser. */
export function useEarlyUse(
  form: RefObject<HTMLFormElement | null>,
  onUse: (element: Element) => void,
  onEntered: () => void,
) {
  const catchUp = useEffectEvent(() => {
    const email = form.current?.elements.namedItem("email");
    if (email instanceof HTMLInputElement && email.value !== "") onEntered();
    const focused = document.activeElement;
    if (focused && form.current?.contains(focused)) onUse(focused);
  });
  useEffect(() => catchUp(), []);
}
