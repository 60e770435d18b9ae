import type { MouseEvent, ReactNode } from "react";
import { NewTabHint } from "../links/NewTabHint.tsx";
import { isExternal, linkTarget } from "../rules/link-target.ts";

/** The props of a button or link. */
export interface ActionProps {
  /** Makes it a link. One that starts with http or mailto opens a new tab and sends no referrer. */
  href?: string | undefined;
  /** Announced after the name of a link that opens a new tab. */
  newTabHint?: string;
  type?: "button" | "submit";
  name?: string;
  value?: string;
  /** Makes it a plain disabled button, even if it has an address. */
  disabled?: boolean;
  onClick?: (event: MouseEvent<HTMLElement>) => void;
}

interface ActionElementProps extends ActionProps {
  className: string;
  children: ReactNode;
}

/** A button, or a link if it has an address. Passes all other attributes on to the element. */
export function Action({ href, newTabHint, disabled, children, ...props }: ActionElementProps) {
  const { type = "button", name, value, ...attributes } = props;
  if (href === undefined || disabled) {
    return (
      <button {...attributes} name={name} value={value} disabled={disabled} type={type}>
        {children}
      </button>
    );
  }
  return (
    <a {...attributes} {...linkTarget(href)}>
      {children}
      {isExternal(href) && <NewTabHint text={newTabHint} />}
    </a>
  );
}
