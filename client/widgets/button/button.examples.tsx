import type { WidgetDoc } from "../widget-doc.ts";
import { Button, buttonSizes, buttonVariants } from "./Button.tsx";

export const buttonDoc: WidgetDoc = {
  widget: "button",
  title: "Button",
  group: "actions",
  purpose: "Starts an action, or leads to the next step of one.",
  do: [
    "Name the action: a verb and what it is done to.",
    "Have one primary button per view.",
    "Set loading while a form is sent.",
  ],
  dont: [
    "Don’t use a button for what is a link in a text: use a text link.",
    "Don’t disable a submit button to point out mistakes: name them.",
  ],
  texts: ["loading"],
  accessibility: [
    "It is a real button, or a real link where it has an address: Enter works on both, Space on the button.",
    "While loading it keeps the focus and says loadingLabel; give that text wherever loading is set.",
    "A link that opens a new tab says newTabHint after its text.",
  ],
  examples: [
    ...buttonVariants.map((variant) => ({
      name: variant,
      variant,
      size: "medium",
      state: "default",
      render: () => <Button variant={variant}>Add to bag</Button>,
    })),
    ...buttonSizes.map((size) => ({
      name: `size ${size}`,
      variant: "primary-fill",
      size,
      state: "default",
      render: () => <Button size={size}>Add to bag</Button>,
    })),
    {
      name: "full width",
      variant: "primary-fill",
      size: "medium",
      state: "default",
      render: () => <Button width="full">Go to checkout</Button>,
    },
    {
      name: "with an icon",
      variant: "secondary",
      size: "medium",
      state: "default",
      render: () => (
        <Button variant="secondary" icon="heart">
          Add to wishlist
        </Button>
      ),
    },
    {
      name: "link",
      variant: "primary-fill",
      size: "medium",
      state: "default",
      render: () => <Button href="/widgets/button">View the offer</Button>,
    },
    {
      name: "external link",
      variant: "secondary",
      size: "medium",
      state: "default",
      render: () => (
        <Button variant="secondary" href="https://example.com/" newTabHint="opens in a new tab">
          To the manufacturer
        </Button>
      ),
    },
    {
      name: "loading",
      variant: "primary-fill",
      size: "medium",
      state: "loading",
      render: (texts) => (
        <Button loading loadingLabel={texts.loading}>
          Sign up
        </Button>
      ),
    },
    {
      name: "disabled",
      variant: "primary-fill",
      size: "medium",
      state: "disabled",
      render: () => <Button disabled>Sold out</Button>,
    },
    {
      name: "disabled link",
      variant: "secondary",
      size: "medium",
      state: "disabled",
      render: () => (
        <Button variant="secondary" href="/widgets/button" disabled>
          Offer has ended
        </Button>
      ),
    },
  ],
};
