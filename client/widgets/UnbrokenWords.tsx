/** A word with a prefix of one letter, such as E-Mail. Browsers would break the line after the hyphen. */
const prefixedWord = /((?<!\p{L})\p{L}-\p{L}+)/u;

/**
 * A text whose lines don't break after a word's prefix. A non-breaking hyphen would do the same, but searches miss it
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
