import { Flag } from "../icons/Flag.tsx";
import { Icon } from "../icons/Icon.tsx";
import type { CountrySwitcherItem } from "./footer-props.ts";

interface CountrySwitcherProps {
  heading: string;
  items: CountrySwitcherItem[];
}

/** Links to the site of every country, each named in that site's own language. Only the large layout shows them. */
export function CountrySwitcher({ heading, items }: CountrySwitcherProps) {
  const current = items.find((item) => item.selected);
  return (
    <nav className="sf-switcher sf-when-large" data-section="country-switcher" aria-label={heading}>
      <details className="sf-switcher-panel">
        <summary className="sf-chip">
          {current && <Flag name={current.flag} />}
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
                <Flag name={item.flag} />
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
