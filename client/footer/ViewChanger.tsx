import { Icon } from "../icons/Icon.tsx";
import type { FooterBodyProps } from "./footer-props.ts";

/** Lets a visitor choose the other view; a plain form, so that it works without script. */
export function ViewChanger({ heading, toMobile, toDesktop }: FooterBodyProps["viewChanger"]) {
  return (
    <form className="sf-view-changer" data-section="view-changer" method="post" action="/view" aria-label={heading}>
      {toDesktop && (
        <button type="submit" className="sf-chip sf-when-small" name="view" value="desktop">
          <Icon name="desktop" size={24} />
          {toDesktop}
        </button>
      )}
      {toMobile && (
        <button type="submit" className="sf-chip sf-when-large" name="view" value="mobile">
          <Icon name="mobile" size={24} />
          {toMobile}
        </button>
      )}
    </form>
  );
}
