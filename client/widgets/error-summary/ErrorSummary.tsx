import { type MouseEvent, useEffect, useEffectEvent, useId, useRef } from "react";
import { oneOf } from "../one-of.ts";

interface SummaryError {
  /** The control's id; for a group of radio buttons, the id of the first. */
  fieldId: string;
  text: string;
}

export const errorSummaryLevels = ["h2", "h3", "h4"] as const;

interface ErrorSummaryProps {
  heading: string;
  /** Level of the heading, one below that of the form. */
  level?: (typeof errorSummaryLevels)[number];
  /** One per wrong field, in the order of the fields. */
  errors: readonly SummaryError[];
  /**
   * How many times the form was submitted with errors. Each time, the focus moves to the summary, or to the field if
   * only one is wrong.
   */
  attempt?: number;
}

/**
 * Lists the errors of a form, with links to their fields. Shows nothing for a single error. Render it from the start,
 * so that it notices the first attempt.
 */
export function ErrorSummary({ heading, level, errors, attempt = 0 }: ErrorSummaryProps) {
  const headingId = useId();
  const summary = useRef<HTMLDivElement>(null);
  const seen = useRef(attempt);
  const moveFocus = useEffectEvent(() => {
    if (summary.current) summary.current.focus();
    else if (errors[0]) focusField(errors[0].fieldId);
  });
  useEffect(() => {
    if (attempt > seen.current) moveFocus();
    seen.current = attempt;
  }, [attempt]);

  if (errors.length < 2) return null;
  const Heading = oneOf("error summary level", errorSummaryLevels, level, "h2");
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups controls, and a section would be a landmark
    <div
      ref={summary}
      className="sf-error-summary"
      role="group"
      aria-labelledby={headingId}
      tabIndex={-1}
      // biome-ignore lint/a11y/noAutofocus: the answer to a form sent without script starts with what is wrong in it
      autoFocus={attempt > 0}
    >
      <Heading id={headingId} className="sf-error-summary-heading">
        {heading}
      </Heading>
      <ul className="sf-error-summary-list">
        {errors.map(({ fieldId, text }) => (
          <li key={fieldId}>
            <a className="sf-error-summary-link" href={`#${fieldId}`} onClick={(event) => follow(event, fieldId)}>
              {text}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

function follow(event: MouseEvent, fieldId: string) {
  if (focusField(fieldId)) event.preventDefault();
}

/**
 * Moves the focus to a field, and scrolls it into view with its label.
 * @param id - the control's id; for a group of radio buttons, the id of the first
 * @returns false if the page has no such field
 */
function focusField(id: string): boolean {
  const field = document.getElementById(id);
  if (!field) return false;
  (labelOf(field) ?? field).scrollIntoView();
  field.focus({ preventScroll: true });
  return true;
}

function labelOf(field: HTMLElement): Element | null | undefined {
  if (field.matches("[type=radio]")) return field.closest("fieldset")?.querySelector("legend");
  return field instanceof HTMLInputElement || field instanceof HTMLSelectElement || field instanceof HTMLTextAreaElement
    ? field.labels?.[0]
    : null;
}
