interface CodeBlockProps {
  /** Id of the element that holds the code; unique in the page. */
  id: string;
  label: string;
  code: string;
  /** `text` is the button's text. `what` names the copied code for screen readers. */
  copy: { text: string; what: string };
}

/** Code with a copy button, which the script reveals if the browser can copy. */
export function CodeBlock({ id, label, code, copy }: CodeBlockProps) {
  return (
    <figure className="sf-code" aria-labelledby={`${id}-label`}>
      <figcaption>
        <span id={`${id}-label`}>{label}</span>
        <button type="button" className="sf-code-copy" data-copy={id} hidden>
          {copy.text}
          <span className="sf-visually-hidden"> {copy.what}</span>
        </button>
      </figcaption>
      <pre className="sf-code-lines">
        <code id={id}>{code}</code>
      </pre>
    </figure>
  );
}

/** The page's only live region, which announces whether code was copied. */
export function CopyStatus({ done, failed }: { done: string; failed: string }) {
  return <p className="sf-code-status" role="status" data-copy-status data-done={done} data-failed={failed} />;
}
