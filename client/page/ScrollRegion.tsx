import type { ReactNode } from "react";

interface ScrollRegionProps {
  label: string;
  className?: string;
  children: ReactNode;
}

/** A region that scrolls sideways what is wider than the page. It takes the focus, so that arrow keys scroll it, too. */
export function ScrollRegion({ label, className, children }: ScrollRegionProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a section without a heading would be odd
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboards scroll only what has the focus
    <div role="region" aria-label={label} tabIndex={0} className={`sf-scroll ${className ?? ""}`.trim()}>
      {children}
    </div>
  );
}
