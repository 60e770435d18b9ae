import type { WidgetDoc } from "../widget-doc.ts";
import { IconButton, iconButtonSizes, iconButtonVariants } from "./IconButton.tsx";

const standard = { variant: "primary-default", size: "large", state: "default" };

export const iconButtonDoc: WidgetDoc = {
  widget: "icon-button",
  title: "Icon button",
  group: "actions",
  purpose: "A button where there is no room for a text and the icon is known: close, wishlist, bag.",
  do: ["Name what it does, not what the icon shows: “Add to wishlist”, not “Heart”.", "Use large where people touch."],
  dont: ["Don’t use it where the icon alone isn’t understood: use a button with a text."],
  texts: ["close"],
  accessibility: [
    "Its label is its name for screen readers and voice control; the icon itself is hidden from them.",
    "Large is 44 pixels wide and high, enough for a finger. Leave room around the smaller ones.",
    "A link that opens a new tab says newTabHint after its label.",
  ],
  examples: [
    ...iconButtonVariants.map((variant) => ({
      ...standard,
      name: variant,
      variant,
      render: () => <IconButton variant={variant} icon="heart" label="Add to wishlist" />,
    })),
    ...iconButtonSizes.map((size) => ({
      ...standard,
      name: `size ${size}`,
      size,
      render: () => <IconButton size={size} icon="bag" label="Add to bag" />,
    })),
    {
      ...standard,
      name: "close",
      render: (texts) => <IconButton icon="close" label={texts.close} />,
    },
    {
      ...standard,
      name: "link",
      render: () => <IconButton icon="user" label="My account" href="/widgets" />,
    },
    {
      ...standard,
      name: "external link",
      render: () => (
        <IconButton icon="instagram" label="Instagram" href="https://example.com/" newTabHint="opens in a new tab" />
      ),
    },
    {
      ...standard,
      name: "disabled",
      state: "disabled",
      render: () => <IconButton icon="heart" label="Add to wishlist" disabled />,
    },
    {
      ...standard,
      name: "disabled link",
      variant: "secondary",
      state: "disabled",
      render: () => <IconButton variant="secondary" icon="bag" label="To the bag" href="/widgets" disabled />,
    },
  ],
};
