import { type RefObject, useEffect, useEffectEvent } from "react";

/**
 * Reports what happened before React listened.
 * @param onUse - gets the element that has the focus
 * @param onEntered - is called when there is an address that somebody has typed or the browser has filled in
 * @param onLeft - gets each field that was changed and left
 */
export function useEarlyUse(
  form: RefObject<HTMLFormElement | null>,
  onUse: (element: Element) => void,
  onEntered: () => void,
  onLeft: (field: HTMLInputElement) => void,
) {
  const catchUp = useEffectEvent(() => {
    const email = form.current?.elements.namedItem("email");
    if (email instanceof HTMLInputElement && email.value !== "") onEntered();
    const focused = document.activeElement;
    for (const field of form.current?.querySelectorAll("input") ?? []) {
      if (field.value !== field.defaultValue && field !== focused) onLeft(field);
    }
    if (focused && form.current?.contains(focused)) onUse(focused);
  });
  useEffect(() => catchUp(), []);
}
