import type { ReactNode } from "react";
import { Icon } from "../../icons/Icon.tsx";

interface ExpandableProps {
  /** Names the panel; always shown. */
  summary: ReactNode;
  children: ReactNode;
  /** Whether it starts open. */
  open?: boolean;
}

/** A panel that opens in place. The browser opens it, so it works without script; printed, it shows everything. */
export function Expandable({ summary, children, open = false }: ExpandableProps) {
  return (
    <details className="sf-expandable" open={open}>
      <summary className="sf-expandable-summary">
        <span>{summary}</span>
        <Icon name="chevron-down" size={24} />
      </summary>
      <div className="sf-expandable-panel">{children}</div>
    </details>
  );
}
