import { NewTabHint } from "../../links/NewTabHint.tsx";
import { linkTarget } from "../../rules/link-target.ts";
import type { FooterBodyProps, FooterImage } from "./footer-props.ts";

/** Loaded lazily: for an eager image React would render a preload link in front of the fragment's root. */
function Logo({ image }: { image: FooterImage }) {
  const { url, label, width, height, title } = image;
  return <img src={url} alt={label} title={title} width={width} height={height} loading="lazy" />;
}

/** Logos of payment methods and carriers. */
export function PaymentAndDelivery({ heading, images }: FooterBodyProps["payment"]) {
  if (images.length === 0) return null;
  return (
    <section className="sf-inner" data-section="payment">
      {heading && <h3 className="sf-heading">{heading}</h3>}
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

/** The shop's quality seals, each linked to its explanation where there is one. */
export function QualityLogos({ heading, logos }: FooterBodyProps["quality"]) {
  if (logos.length === 0) return null;
  return (
    <section className="sf-inner" data-section="quality">
      {heading && <h3 className="sf-heading">{heading}</h3>}
      <ul className="sf-row">
        {logos.map(({ image, link }) => (
          <li key={image.url}>
            {link ? (
              <a {...linkTarget(link.url)}>
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
