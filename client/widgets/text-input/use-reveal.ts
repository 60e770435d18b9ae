import { type Ref, useCallback, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { attachRef } from "./attach-ref.ts";

/**
 * Tells whether a password is shown, and changes that. The password is hidden again before its form is sent, so that the
 * browser doesn't offer it as a text later, and when the page comes back from the back-forward cache.
 * @param ref - the caller's ref, which gets the element, too
 * @returns `isShown` is undefined until somebody has toggled
 */
export function useReveal(ref: Ref<HTMLInputElement> | undefined) {
  const [isShown, setShown] = useState<boolean>();
  const element = useRef<HTMLInputElement>(null);
  const caret = useRef<[number, number]>(undefined);

  const watch = useCallback(
    (input: HTMLInputElement) => {
      const listeners = new AbortController();
      const { signal } = listeners;
      const hide = () => flushSync(() => setShown((shown) => shown && false));
      const hideIfSent = ({ target }: Event) => target === input.form && hide();
      input.getRootNode().addEventListener("submit", hideIfSent, { signal, capture: true });
      addEventListener("pageshow", ({ persisted }) => persisted && hide(), { signal });
      element.current = input;
      const release = attachRef(ref, input);
      return () => {
        listeners.abort();
        release();
      };
    },
    [ref],
  );

  // Browsers move the caret when the type changes.
  useLayoutEffect(() => {
    if (isShown !== undefined && caret.current) element.current?.setSelectionRange(...caret.current);
  }, [isShown]);

  function toggle() {
    const { selectionStart, selectionEnd } = element.current ?? {};
    caret.current = [selectionStart ?? 0, selectionEnd ?? 0];
    setShown(!isShown);
  }

  return { ref: watch, isShown, toggle };
}
