import { honeypotName } from "../rules/subscription.ts";

/**
 * A field that people neither see nor reach, and that neither browsers nor password managers fill: whoever fills it is a
 * bot.
 */
export function Honeypot({ label }: { label: string }) {
  return (
    <div className="sf-visually-hidden" aria-hidden="true">
      <label className="sf-newsletter-remarks">
        {label}
        <input
          type="text"
          name={honeypotName}
          tabIndex={-1}
          autoComplete="off"
          data-1p-ignore=""
          data-bwignore=""
          data-form-type="other"
          data-lpignore="true"
        />
      </label>
    </div>
  );
}
