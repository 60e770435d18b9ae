import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { Icon } from "../../icons/Icon.tsx";
import { useHydrated } from "../use-hydrated.ts";
import { InputBase, type InputProps } from "./InputBase.tsx";

export interface PasswordInputProps extends InputProps {
  /** The texts of the button that reveals the password. Without them there is no button. */
  reveal?: RevealTexts;
}

/** A password, hidden until the visitor reveals it. The browser doesn't correct it or send it to a spell checker. */
export function PasswordInput({ reveal, ...props }: PasswordInputProps) {
  const { isShown, toggle, ref } = useReveal();
  return (
    <InputBase
      autoComplete="current-password"
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      {...props}
      type={isShown ? "text" : "password"}
      ref={ref}
    >
      {reveal && <RevealToggle {...reveal} isShown={isShown} disabled={props.disabled} onClick={toggle} />}
    </InputBase>
  );
}

export interface RevealTexts {
  /**
   * The button's name while the password is hidden, and its name while the password is shown. Two fields of a page need
   * different ones.
   */
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
 * Toggles whether a password is shown. Hides it again before its form is submitted, so that the browser doesn't store
 * it as text, and when the page returns from the back-forward cache.
 * @returns `isShown`, which is undefined until the first toggle
 */
function useReveal() {
  const [isShown, setShown] = useState<boolean>();
  const ref = useRef<HTMLInputElement>(null);
  const caret = useRef<[number, number]>(undefined);

  useEffect(() => {
    const listeners = new AbortController();
    const { signal } = listeners;
    const hide = () => flushSync(() => setShown((shown) => shown && false));
    const hideIfSent = ({ target }: Event) => target === ref.current?.form && hide();
    addEventListener("submit", hideIfSent, { signal, capture: true });
    addEventListener("pageshow", ({ persisted }) => persisted && hide(), { signal });
    return () => listeners.abort();
  }, []);

  // Browsers move the caret when the type changes.
  useLayoutEffect(() => {
    if (isShown !== undefined && caret.current) ref.current?.setSelectionRange(...caret.current);
  }, [isShown]);

  function toggle() {
    const { selectionStart, selectionEnd } = ref.current ?? {};
    caret.current = [selectionStart ?? 0, selectionEnd ?? 0];
    setShown(!isShown);
  }

  return { ref, isShown, toggle };
}
