import { Icon, iconCell } from "../../icons/Icon.tsx";
import type { CountryLink, CountrySwitcherProps, FooterBodyProps } from "./footer-props.ts";

/** Lets a visitor switch between the mobile and the desktop view. A plain form, which works without script. */
export function ViewChanger({ heading, toMobile, toDesktop }: FooterBodyProps["viewChanger"]) {
  return (
    <form data-section="view-changer" method="post" action="/view" aria-label={heading}>
      {toDesktop && (
        <button type="submit" name="view" value="desktop" data-icon={iconCell("desktop")}>
          {toDesktop}
        </button>
      )}
      {toMobile && (
        <button type="submit" name="view" value="mobile" data-icon={iconCell("mobile")}>
          {toMobile}
        </button>
      )}
    </form>
  );
}

/**
 * Links to the sites of all countries: in a list, where each country is named in its own language, or by a link to the
 * page with that list. Only the large layout shows it.
 */
export function CountrySwitcher({ heading, current, items, url }: CountrySwitcherProps) {
  // Named by an attribute: with hidden text in it, Tab doesn't leave a summary in WebKitGTK.
  const choice = { "aria-label": `${heading}: ${current.label}`, "data-icon": current.flag };
  return (
    <nav className="sf-switcher" data-section="country-switcher" aria-label={heading}>
      {items ? (
        <details>
          <summary {...choice}>
            {current.label}
            <Icon name="chevron-down" size={16} />
          </summary>
          <ul>
            <CountryLinks items={items} current={current.code} />
          </ul>
        </details>
      ) : (
        <a href={url} {...choice}>
          {current.label}
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
      <a href={href} lang={locale} data-code={code} data-icon={flag} aria-current={code === current || undefined}>
        {label}
        {code === current && <Icon name="check" size={16} />}
      </a>
    </li>
  ));
}
