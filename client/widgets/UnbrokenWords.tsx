/** A prefix of one letter with its word, such as E-Mail: browsers break lines after any hyphen. */
const prefixedWord = /((?<!\p{L})\p{L}-\p{L}+)/u;

/**
 * A text whose lines don't break after the prefix of a word. A non-breaking hyphen would do the same, but searches miss it
 * and many fonts lack it.
 */
export function UnbrokenWords({ text }: { text: string }) {
  return text.split(prefixedWord).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: a word may come twice, and none moves
      <span key={index} className="sf-unbroken">
        {part}
      </span>
    ),
  );
}
