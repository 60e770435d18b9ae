/** Shows a description as paragraphs. */
export function Prose({ text }: { text: string }) {
  return (
    <p className="sf-service-prose">
      <Words text={text} />
    </p>
  );
}

/** Shows text between backticks as code. */
export function Words({ text }: { text: string }) {
  return text.split("`").map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts never move
    index % 2 === 1 ? <code key={index}>{part}</code> : part,
  );
}
