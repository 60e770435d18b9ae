import { Icon } from "../../icons/Icon.tsx";
import { useHydrated } from "../use-hydrated.ts";

export interface RevealTexts {
  /** Names the button while the password is hidden, and while it is shown. */
  show: string;
  hide: string;
  /** Screen readers say it after a change. */
  shown: string;
  hidden: string;
}

interface RevealToggleProps extends RevealTexts {
  /** Label of the field, so that the buttons of two fields have different names. */
  label: string;
  /** Whether the password is shown; undefined until the button was used. */
  isShown: boolean | undefined;
  disabled: boolean | undefined;
  onClick: () => void;
}

/** Shows and hides a password. Needs script, so the server leaves it out. */
export function RevealToggle({ label, isShown, disabled, onClick, ...texts }: RevealToggleProps) {
  const hydrated = useHydrated();
  return (
    <>
      {hydrated && (
        <button
          className="sf-input-toggle"
          type="button"
          aria-label={`${isShown ? texts.hide : texts.show}, ${label}`}
          disabled={disabled}
          // The caret stays in the field: test/browser/widgets/password-input.test.ts
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
