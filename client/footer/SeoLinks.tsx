import type { FooterBodyProps } from "./footer-props.ts";
import { SiteLink } from "./SiteLink.tsx";

/** Links to popular categories, in columns. */
export function SeoLinks({ heading, columns }: FooterBodyProps["seo"]) {
  if (columns.length === 0) return null;
  return (
    <nav className="sf-band" data-section="seo" aria-label={heading}>
      <div className="sf-inner">
        {heading && <h3 className="sf-heading">{heading}</h3>}
        <div className="sf-seo-columns">
          {columns.map((links) => (
            <ul key={links[0]?.url} className="sf-list">
              {links.map((link) => (
                <li key={link.url}>
                  <SiteLink link={link} />
                </li>
              ))}
            </ul>
          ))}
        </div>
      </div>
    </nav>
  );
}
