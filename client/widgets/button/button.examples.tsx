import type { WidgetDoc } from "../widget-doc.ts";
import { Button, buttonSizes, buttonVariants } from "./Button.tsx";

const standard = { variant: "primary-fill", size: "medium", state: "default" };
const secondary = { ...standard, variant: "secondary" };

export const buttonDoc: WidgetDoc = {
  widget: "button",
  title: "Button",
  group: "actions",
  purpose: "Starts an action, or leads to its next step.",
  do: [
    "Name the action with a verb and its object, such as “Add to bag”.",
    "Use one primary button per view.",
    "Set loading while the form is being sent.",
  ],
  dont: [
    "Don’t use a button for a link within text. Use a text link.",
    "Don’t disable the submit button while there are errors. Let people submit, then name the errors.",
  ],
  texts: ["loading"],
  accessibility: [
    "It’s a native button, or a native link if it has an address. Enter works on both, Space on the button.",
    "While loading, it keeps the focus and announces loadingLabel, so set that text wherever you set loading.",
    "If the link opens a new tab, screen readers read newTabHint after its text.",
  ],
  examples: [
    ...buttonVariants.map((variant) => ({
      ...standard,
      name: variant,
      variant,
      render: () => <Button variant={variant}>Add to bag</Button>,
    })),
    ...buttonSizes.map((size) => ({
      ...standard,
      name: `size ${size}`,
      size,
      render: () => <Button size={size}>Add to bag</Button>,
    })),
    { ...standard, name: "full width", render: () => <Button width="full">Go to checkout</Button> },
    {
      ...secondary,
      name: "with an icon",
      render: () => (
        <Button variant="secondary" icon="heart">
          Add to wishlist
        </Button>
      ),
    },
    { ...standard, name: "link", render: () => <Button href="/widgets/button">View the offer</Button> },
    {
      ...secondary,
      name: "external link",
      render: () => (
        <Button variant="secondary" href="https://example.com/" newTabHint="opens in a new tab">
          To the manufacturer
        </Button>
      ),
    },
    {
      ...standard,
      name: "loading",
      state: "loading",
      render: (texts) => (
        <Button loading loadingLabel={texts.loading}>
          Sign up
        </Button>
      ),
    },
    { ...standard, name: "disabled", state: "disabled", render: () => <Button disabled>Sold out</Button> },
    {
      ...secondary,
      name: "disabled link",
      state: "disabled",
      render: () => (
        <Button variant="secondary" href="/widgets/button" disabled>
          Offer has ended
        </Button>
      ),
    },
  ],
};
