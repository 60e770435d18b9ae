import type { FooterBodyProps } from "./footer-props.ts";
import { SiteLink } from "./SiteLink.tsx";

/** The notice on sales tax and shipping costs. */
export function SalesTax({ before, link, after }: NonNullable<FooterBodyProps["salesTax"]>) {
  const glued = /^[.,;:)]/.test(after);
  return (
    <p className="sf-inner sf-small" data-section="sales-tax">
      {before} <SiteLink link={link} />
      {glued ? "" : " "}
      {after}
    </p>
  );
}
