import { Flag, Icon } from "../../icons/Icon.tsx";
import type { CountryLink, CountrySwitcherProps, FooterBodyProps } from "./footer-props.ts";

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

/**
 * Leads to the sites of all countries: by a list in which each stands in its own language, or by a link to the page with
 * that list. Only the large layout shows it.
 */
export function CountrySwitcher({ heading, current, items, url }: CountrySwitcherProps) {
  const name = (
    <>
      {current.flag && <Flag name={current.flag} />}
      <span className="sf-visually-hidden">{heading}: </span>
      {current.label}
    </>
  );
  return (
    <nav className="sf-switcher sf-when-large" data-section="country-switcher" aria-label={heading}>
      {items ? (
        <details className="sf-switcher-panel">
          <summary className="sf-chip">
            {name}
            <Icon name="chevron-down" size={16} />
          </summary>
          <ul className="sf-switcher-list">
            <CountryLinks items={items} current={current.code} />
          </ul>
        </details>
      ) : (
        <a className="sf-chip" href={url}>
          {name}
        </a>
      )}
    </nav>
  );
}

/**
 * The entries of a list of countries.
 * @param current - the code of the site that is shown
 */
export function CountryLinks({ items, current }: { items: readonly CountryLink[]; current: string }) {
  return items.map(({ code, label, href, flag, locale }) => (
    <li key={code}>
      <a href={href} lang={locale} hrefLang={locale} data-code={code} aria-current={code === current || undefined}>
        {flag && <Flag name={flag} />}
        {label}
        {code === current && <Icon name="check" size={16} />}
      </a>
    </li>
  ));
}
