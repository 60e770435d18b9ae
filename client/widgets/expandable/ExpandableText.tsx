import { type MouseEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { Icon } from "../../icons/Icon.tsx";

/** How much of a text shows while it is collapsed, in pixels. */
export const standardHeight = 96;

export interface ExpandableTextProps {
  children: ReactNode;
  /** Height while it is collapsed, in pixels. */
  height?: number;
  /** Text of the control while the text is collapsed. */
  more: string;
  /** Text of the control while all of it shows. */
  less: string;
}

/**
 * A long text of which only the beginning shows. The server sends all of it, so without script it is readable; one that
 * fits has no control. What brings a hidden part into view - a link in it that gets the focus, a search in the page -
 * expands the text, so the focus is never out of sight.
 */
export function ExpandableText({ children, height = standardHeight, more, less }: ExpandableTextProps) {
  const id = useId();
  const frame = useRef<HTMLDivElement>(null);
  const [long, setLong] = useState(false);
  const [expanded, setExpanded] = useState(false);
  const collapsed = long && !expanded;

  useEffect(() => {
    const text = frame.current?.firstElementChild;
    if (!text) return;
    frame.current?.style.setProperty("--sf-expandable-height", `${height}px`);
    const observer = new ResizeObserver(() => setLong(text.scrollHeight > height));
    observer.observe(text);
    return () => observer.disconnect();
  }, [height]);

  function toggle({ currentTarget }: MouseEvent<HTMLElement>) {
    flushSync(() => setExpanded(!expanded));
    // The text above the control has become shorter, and the control may have left the window with it.
    if (expanded) currentTarget.scrollIntoView({ block: "nearest" });
  }

  const expand = () => setExpanded(true);
  return (
    <div className="sf-expandable-text">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: reacts to the focus of what is inside */}
      <div
        ref={frame}
        id={id}
        className="sf-expandable-frame"
        data-collapsed={collapsed || undefined}
        onFocus={expand}
        onScroll={expand}
      >
        <div>{children}</div>
      </div>
      {long && (
        <button
          type="button"
          className="sf-expandable-control"
          aria-expanded={expanded}
          aria-controls={id}
          onClick={toggle}
        >
          {expanded ? less : more}
          <Icon name="chevron-down" />
        </button>
      )}
    </div>
  );
}
