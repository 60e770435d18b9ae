interface CodeBlockProps {
  /** Id of the element that holds the code; unique in the page. */
  id: string;
  label: string;
  code: string;
  /** The words of the button: `text` is shown, `what` names the code for screen readers. */
  copy: { text: string; what: string };
}

/** Code with a button that copies it; the script shows the button where a browser can copy. */
export function CodeBlock({ id, label, code, copy }: CodeBlockProps) {
  return (
    <figure className="sf-code">
      <figcaption>
        {label}
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
