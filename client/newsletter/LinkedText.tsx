import { linkTarget } from "../rules/link-target.ts";
import type { TextSegment } from "./newsletter-props.ts";

/** A text with links in it. */
export function LinkedText({ segments }: { segments: TextSegment[] }) {
  return segments.map(({ text, url }) =>
    url === undefined ? (
      text
    ) : (
      <a key={text} {...linkTarget(url)}>
        {text}
      </a>
    ),
  );
}
