import type { ReactNode } from "react";
import { Icon } from "../../icons/Icon.tsx";
import { oneOf } from "../one-of.ts";

interface ExpandableProps {
  /** The panel's name, which is always shown. */
  summary: ReactNode;
  children: ReactNode;
  /** Whether it starts open. */
  open?: boolean;
}

/** A panel that opens in place. The browser opens it, so it works without script. In print, everything is shown. */
export function Expandable({ summary, children, open = false }: ExpandableProps) {
  return (
    <details className="sf-expandable" open={open}>
      <summary className="sf-expandable-summary">
        <span>{summary}</span>
        <Icon name="chevron-down" size={24} />
      </summary>
      <div>{children}</div>
    </details>
  );
}

const expandableTextSizes = ["small", "medium"] as const;

interface ExpandableTextProps {
  /** Paragraphs of text, in which all lines have the same height. */
  children: ReactNode;
  /** Small text shows three lines (60 px), medium text four (96 px). */
  size?: (typeof expandableTextSizes)[number];
  /** Text of the control while the text is collapsed. */
  more: string;
  /** Text of the control while the whole text is shown. */
  less: string;
}

/**
 * A text of which only the first lines are shown, for texts that are longer than that in any window. The control is the
 * browser's own disclosure and the stylesheet collapses the text, so it needs no script. If a hidden link gets the
 * focus, the whole text is shown.
 */
export function ExpandableText({ children, size, more, less }: ExpandableTextProps) {
  return (
    <div className="sf-expandable-text" data-size={oneOf("expandable text size", expandableTextSizes, size, "medium")}>
      <div className="sf-expandable-frame">{children}</div>
      <details>
        <summary className="sf-expandable-control">
          <span>{more}</span>
          <span>{less}</span>
          <Icon name="chevron-down" />
        </summary>
      </details>
    </div>
  );
}
