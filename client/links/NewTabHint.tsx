/** A hidden hint that a link opens a new tab. */
export function NewTabHint({ text }: { text: string | undefined }) {
  return text ? <span className="sf-visually-hidden"> ({text})</span> : null;
}
