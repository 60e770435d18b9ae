import { Icon } from "../../icons/Icon.tsx";
import { SiteLink } from "./FooterLinks.tsx";
import type { FooterBodyProps } from "./footer-props.ts";

/**
 * The service groups. The large layouts show a linked heading above the list, the small one a disclosure; the stylesheet
 * shows one of the two headings. Every list but that of CLASSIC starts with the overview link.
 */
export function Teasers({ groups }: { groups: FooterBodyProps["teasers"] }) {
  if (groups.length === 0) return null;
  return (
    <section className="sf-inner sf-teasers" data-section="teasers">
      {groups.map((group) => (
        <Teaser key={group.heading.url} group={group} />
      ))}
    </section>
  );
}

function Teaser({ group }: { group: FooterBodyProps["teasers"][number] }) {
  const { heading, paragraphs, links } = group;
  return (
    <nav className="sf-teaser" aria-label={heading.text} data-hide-in-checkout={group.hideInCheckout || undefined}>
      <h3 className="sf-when-wide">
        <SiteLink link={heading}>{group.icon && <Icon name={group.icon} size={24} />}</SiteLink>
      </h3>
      <details>
        <summary className="sf-when-narrow">
          {group.icon && <Icon name={group.icon} size={24} />}
          <h3>{heading.text}</h3>
          <Icon name="chevron-down" size={24} />
        </summary>
        {paragraphs.map((text) => (
          <p key={text}>{text}</p>
        ))}
        <ul className="sf-list">
          {links.map(({ link, hideInClassic }) => (
            <li key={link.url + link.text} className={hideInClassic ? "sf-when-not-classic" : undefined}>
              <SiteLink link={link} />
            </li>
          ))}
        </ul>
      </details>
    </nav>
  );
}
