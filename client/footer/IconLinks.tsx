import { Icon } from "../icons/Icon.tsx";
import type { IconLink } from "./footer-props.ts";
import { SiteLink } from "./SiteLink.tsx";

interface IconLinksProps {
  section: "social" | "apps";
  heading: string;
  links: IconLink[];
}

/** A headed row of links with an icon each: social media or app stores. */
export function IconLinks({ section, heading, links }: IconLinksProps) {
  if (links.length === 0) return null;
  return (
    <section className="sf-icon-links" data-section={section}>
      {heading && <h3 className="sf-heading">{heading}</h3>}
      <ul className="sf-row">
        {links.map(({ icon, link }) => (
          <li key={icon}>
            <SiteLink className="sf-chip" link={link}>
              <Icon name={icon} size={24} />
            </SiteLink>
          </li>
        ))}
      </ul>
    </section>
  );
}
