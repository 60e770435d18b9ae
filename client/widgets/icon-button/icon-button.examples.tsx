import type { WidgetDoc } from "../widget-doc.ts";
import { IconButton, iconButtonSizes, iconButtonVariants } from "./IconButton.tsx";

const standard = { variant: "primary-default", size: "large", state: "default" };

export const iconButtonDoc: WidgetDoc = {
  widget: "icon-button",
  title: "Icon button",
  group: "actions",
  purpose: "A button for a well-known icon where there is no room for text: close, wishlist, bag.",
  do: ["Name the action, not the icon: “Add to wishlist”, not “Heart”.", "Use the large size on touchscreens."],
  dont: ["Don’t use it if people may not understand the icon alone. Use a button with text."],
  texts: ["close"],
  accessibility: [
    "The label is its name for screen readers and voice control, and the icon is hidden from them.",
    "The large size is 44 by 44 pixels, enough for a finger. Leave space around smaller ones.",
    "If the link opens a new tab, screen readers read newTabHint after its label.",
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
    { ...standard, name: "close", render: (texts) => <IconButton icon="close" label={texts.close} /> },
    { ...standard, name: "link", render: () => <IconButton icon="user" label="My account" href="/widgets" /> },
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
