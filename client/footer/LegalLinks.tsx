import type { FooterBodyProps } from "./footer-props.ts";
import { SiteLink } from "./SiteLink.tsx";

/** Legal links; the one marked `data-consent` opens the consent-management dialog. */
export function LegalLinks({ heading, links }: FooterBodyProps["legal"]) {
  return (
    <nav className="sf-inner" data-section="legal" aria-label={heading}>
      <ul className="sf-row sf-legal">
        {links.map(({ consent, ...link }) => (
          <li key={link.url}>
            <SiteLink link={link} {...(consent && { "data-consent": true })} />
          </li>
        ))}
      </ul>
    </nav>
  );
}
