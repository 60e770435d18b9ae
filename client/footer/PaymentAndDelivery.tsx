import type { FooterBodyProps } from "./footer-props.ts";
import { Logo } from "./Logo.tsx";

/** Logos of the means of payment and of the carriers. */
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
