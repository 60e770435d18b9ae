import { TextLink } from "../widgets/text-link/TextLink.tsx";
import type { TextSegment } from "./newsletter-props.ts";

/** A text with links in it. */
export function LinkedText({ segments }: { segments: TextSegment[] }) {
  return segments.map(({ text, url }) =>
    url === undefined ? (
      <span key={text}>{text}</span>
    ) : (
      <TextLink key={text} href={url} iconPosition="none">
        {text}
      </TextLink>
    ),
  );
}
