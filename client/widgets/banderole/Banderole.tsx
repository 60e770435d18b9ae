import type { ReactNode } from "react";
import { besidesDefault } from "../one-of.ts";

export const banderoleVariants = ["default", "sale", "voucher"] as const;

interface BanderoleProps {
  /** The discount, in a few characters: "10 %". */
  discount: string;
  /** The reason for the discount, such as "Welcome voucher". */
  text: string;
  variant?: (typeof banderoleVariants)[number];
  /** The picture under the strip. Without one, the strip is shown alone. */
  children?: ReactNode;
}

/** A marketing strip over a picture. Its words are text, so they can be read aloud, translated and enlarged. */
export function Banderole({ discount, text, children, ...props }: BanderoleProps) {
  const variant = besidesDefault("banderole variant", banderoleVariants, props.variant, "default");
  return (
    <div className="sf-banderole" data-variant={variant}>
      {children && <div>{children}</div>}
      <p>
        <strong>{discount}</strong> <span>{text}</span>
      </p>
    </div>
  );
}
