import { type Ref, useCallback, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { Icon } from "../../icons/Icon.tsx";
import { useHydrated } from "../use-hydrated.ts";
import { attachRef } from "./attach-ref.ts";
import { InputBase, type InputProps } from "./InputBase.tsx";

export interface PasswordInputProps extends InputProps {
  /** The texts of the button that reveals the password; without them there is none. */
  reveal?: RevealTexts;
}

/** A password, hidden until the visitor reveals it. Nothing in it is corrected or sent to a spell checker. */
export function PasswordInput({ reveal, ref, ...props }: PasswordInputProps) {
  const { isShown, toggle, ref: watched } = useReveal(ref);
  return (
    <InputBase
      autoComplete="current-password"
      {...props}
      type={isShown ? "text" : "password"}
      ref={watched}
      attributes={{ autoCapitalize: "none", autoCorrect: "off", spellCheck: false }}
    >
      {reveal && <RevealToggle {...reveal} isShown={isShown} disabled={props.disabled} onClick={toggle} />}
    </InputBase>
  );
}

export interface RevealTexts {
  /** The button's name while the password is hidden, and while it is shown. Two fields of a page need different ones. */
  show: string;
  hide: string;
  /** Announced after a change. */
  shown: string;
  hidden: string;
}

interface RevealToggleProps extends RevealTexts {
  /** Whether the password is shown; undefined until the button was used. */
  isShown: boolean | undefined;
  disabled: boolean | undefined;
  onClick: () => void;
}

/** Shows and hides a password. Needs script, so the server leaves it out. */
function RevealToggle({ isShown, disabled, onClick, ...texts }: RevealToggleProps) {
  const hydrated = useHydrated();
  return (
    <>
      {hydrated && (
        <button
          className="sf-input-toggle"
          type="button"
          aria-label={isShown ? texts.hide : texts.show}
          disabled={disabled}
          // Keeps the caret in the field.
          onMouseDown={(event) => event.preventDefault()}
          onClick={onClick}
        >
          <Icon name={isShown ? "eye-off" : "eye"} size={24} />
        </button>
      )}
      <span className="sf-visually-hidden" role="status">
        {isShown !== undefined && (isShown ? texts.shown : texts.hidden)}
      </span>
    </>
  );
}

/**
 * Toggles whether a password is shown. Hides it again before its form is submitted, so that the browser doesn't store it as
 * a text, and when the page returns from the back-forward cache.
 * @param ref - the caller's ref, which receives the element, too
 * @returns `isShown` is undefined until the first toggle
 */
function useReveal(ref: Ref<HTMLInputElement> | undefined) {
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
