import { Icon } from "../../icons/Icon.tsx";
import { NewTabHint } from "../../links/NewTabHint.tsx";
import { linkTarget } from "../../rules/link-target.ts";
import type { FooterBodyProps, FooterImage, FooterLink } from "./footer-props.ts";

interface SiteLinkProps {
  link: FooterLink;
  className?: string;
  /** The cell in the sprite of the icon in front of the text. */
  "data-icon"?: string | undefined;
  "data-consent"?: boolean;
  "data-prominent"?: boolean;
}

/**
 * A link of the footer.
 * @param link - address and text; nothing is rendered for a link without text
 */
export function SiteLink({ link, ...attributes }: SiteLinkProps) {
  if (!link.text) return null;
  return (
    <a {...targetOf(link)} {...attributes}>
      {link.text}
      <NewTabHint text={link.newTabHint} />
    </a>
  );
}

/** The attributes of a link. On pages of other hosts, the URL doesn't show whether it is external. */
function targetOf({ url, newTabHint }: Omit<FooterLink, "text">) {
  return linkTarget(url, newTabHint !== undefined);
}

/**
 * The service groups. The large layouts show a linked heading above each list, the small one a disclosure. Both are in
 * the markup, and the stylesheet shows one. Except in CLASSIC, every list starts with the overview link.
 */
export function Teasers({ groups }: { groups: FooterBodyProps["teasers"] }) {
  if (groups.length === 0) return null;
  return (
    <div className="sf-inner sf-teasers" data-section="teasers">
      {groups.map((group) => (
        <Teaser key={group.heading.url} group={group} />
      ))}
    </div>
  );
}

function Teaser({ group }: { group: FooterBodyProps["teasers"][number] }) {
  const { heading, paragraphs, links } = group;
  return (
    <nav className="sf-teaser" aria-label={heading.text} data-hide-in-checkout={group.hideInCheckout || undefined}>
      <h3>
        <SiteLink link={heading} data-icon={group.icon} />
      </h3>
      <details>
        <summary data-icon={group.icon}>
          <h3>{heading.text}</h3>
          <Icon name="chevron-down" size={24} />
        </summary>
        {paragraphs.map((text) => (
          <p key={text}>{text}</p>
        ))}
        <ul>
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

/** Links to popular categories, in columns. */
export function SeoLinks({ heading, columns }: FooterBodyProps["seo"]) {
  if (columns.length === 0) return null;
  return (
    <nav className="sf-band" data-section="seo" aria-label={heading}>
      <div className="sf-inner">
        {heading && <h3>{heading}</h3>}
        <div className="sf-seo-columns">
          {columns.map((links) => (
            <ul key={links[0]?.url}>
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

/** A headed row of links, each with an icon: social media or app stores. */
export function IconLinks({ section, heading, links }: FooterBodyProps["social"] & { section: "social" | "apps" }) {
  if (links.length === 0) return null;
  return (
    <section data-section={section}>
      {heading && <h3>{heading}</h3>}
      <ul className="sf-row">
        {links.map(({ icon, link }) => (
          <li key={link.url}>
            <SiteLink link={link} data-icon={icon} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Loaded lazily: React would preload an eager image by a link in front of the fragment's root. */
function Logo({ image }: { image: FooterImage }) {
  const { url, label, width, height, title } = image;
  return <img src={url} alt={label} title={title} width={width} height={height} loading="lazy" />;
}

/** Logos of payment methods and carriers. */
export function PaymentAndDelivery({ heading, images }: FooterBodyProps["payment"]) {
  if (images.length === 0) return null;
  return (
    <section className="sf-inner" data-section="payment">
      {heading && <h3>{heading}</h3>}
      <ul className="sf-row">
        {images.map((image) => (
          <li key={image.url}>
            <Logo image={image} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The shop's quality seals, each linked to its explanation if it has one. */
export function QualityLogos({ heading, logos }: FooterBodyProps["quality"]) {
  if (logos.length === 0) return null;
  return (
    <section className="sf-inner" data-section="quality">
      {heading && <h3>{heading}</h3>}
      <ul className="sf-row">
        {logos.map(({ image, link }) => (
          <li key={image.url}>
            {link ? (
              <a {...targetOf(link)}>
                <Logo image={image} />
                <NewTabHint text={link.newTabHint} />
              </a>
            ) : (
              <Logo image={image} />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Legal links, the prominent ones first; the one marked `data-consent` opens the consent-management dialog. */
export function LegalLinks({ heading, links }: FooterBodyProps["legal"]) {
  const { prominent = [], others = [] } = Object.groupBy(links, (link) => (link.prominent ? "prominent" : "others"));
  return (
    <nav className="sf-inner" data-section="legal" aria-label={heading}>
      {prominent.length > 0 && <LegalList className="sf-row sf-prominent" links={prominent} />}
      {others.length > 0 && <LegalList className="sf-row sf-legal" links={others} />}
    </nav>
  );
}

function LegalList({ className, links }: { className: string; links: FooterBodyProps["legal"]["links"] }) {
  return (
    <ul className={className}>
      {links.map(({ consent, prominent, ...link }) => (
        <li key={link.url}>
          <SiteLink
            link={link}
            {...(consent && { "data-consent": true })}
            {...(prominent && { className: "sf-button", "data-prominent": true })}
          />
        </li>
      ))}
    </ul>
  );
}

/** The notice on sales tax and shipping costs. */
export function SalesTax({ before, link, after }: NonNullable<FooterBodyProps["salesTax"]>) {
  const glued = /^[.,;:)]/.test(after);
  return (
    <p className="sf-inner" data-section="sales-tax">
      {before} <SiteLink link={link} />
      {glued ? "" : " "}
      {after}
    </p>
  );
}
