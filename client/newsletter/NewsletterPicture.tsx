import { Banderole } from "../widgets/banderole/Banderole.tsx";
import type { NewsletterProps } from "./newsletter-props.ts";

/** A picture under the discount of the welcome voucher. Narrow windows neither show nor load it. */
export function NewsletterPicture({
  pictures,
  discount,
  texts,
}: Pick<NewsletterProps, "pictures" | "discount" | "texts">) {
  return (
    <div className="sf-newsletter-picture">
      <Banderole discount={discount} text={texts.banderole}>
        <picture>
          <source media="(min-width: 1024px)" srcSet={pictures.desktop} width="400" height="300" />
          <source media="(min-width: 767px)" srcSet={pictures.tablet} width="273" height="273" />
          <img src={pictures.tablet} alt="" width="273" height="273" loading="lazy" decoding="async" />
        </picture>
      </Banderole>
    </div>
  );
}
