import { Flag, Icon } from "../../icons/Icon.tsx";
import type { CountrySwitcherItem, FooterBodyProps } from "./footer-props.ts";

/** Lets a visitor select the other view: a plain form, which works without script. */
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

interface CountrySwitcherProps {
  heading: string;
  items: CountrySwitcherItem[];
}

/** Links to the sites of all countries, each in that site's language. Only the large layout shows them. */
export function CountrySwitcher({ heading, items }: CountrySwitcherProps) {
  const current = items.find((item) => item.selected);
  return (
    <nav className="sf-switcher sf-when-large" data-section="country-switcher" aria-label={heading}>
      <details className="sf-switcher-panel">
        <summary className="sf-chip">
          {current?.flag && <Flag name={current.flag} />}
          <span className="sf-visually-hidden">{heading}: </span>
          {current?.label ?? heading}
          <Icon name="chevron-down" size={16} />
        </summary>
        <ul className="sf-switcher-list">
          {items.map((item) => (
            <li key={item.code}>
              <a
                href={item.href}
                lang={item.locale}
                hrefLang={item.locale}
                data-code={item.code}
                aria-current={item.selected || undefined}
              >
                {item.flag && <Flag name={item.flag} />}
                {item.label}
                {item.selected && <Icon name="check" size={16} />}
              </a>
            </li>
          ))}
        </ul>
      </details>
    </nav>
  );
}
