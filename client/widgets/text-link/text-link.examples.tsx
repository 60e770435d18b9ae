import type { ComponentProps } from "react";
import type { WidgetDoc } from "../widget-doc.ts";
import { TextLink, textLinkIconPositions, textLinkSizes, textLinkVariants } from "./TextLink.tsx";

const standard = { variant: "primary", size: "medium", state: "default" };

type Look = Pick<ComponentProps<typeof TextLink>, "variant" | "size" | "iconPosition">;

function example(name: string, look: Look) {
  return {
    ...standard,
    ...look,
    name,
    render: () => (
      <TextLink href="/widgets" {...look}>
        Delivery and costs
      </TextLink>
    ),
  };
}

export const textLinkDoc: WidgetDoc = {
  widget: "text-link",
  title: "Text link",
  group: "actions",
  purpose: "Leads to another page, from within a text or below it.",
  do: [
    "Make the text say where the link leads, even out of context.",
    "Set newTabHint wherever a link may be external.",
  ],
  dont: ["Don’t use it for an action. Use a button.", "Don’t call it “here” or “more”."],
  accessibility: [
    "It’s a native link with an underline, so people don’t depend on colour to recognise it.",
    "The icon is hidden from screen readers. If the link opens a new tab, they read newTabHint after its text.",
    "Screen readers can list links without the text around them, so the link text must make sense alone.",
  ],
  examples: [
    ...textLinkVariants.map((variant) => example(variant, { variant })),
    ...textLinkSizes.map((size) => example(`size ${size}`, { size })),
    ...textLinkIconPositions.map((iconPosition) => example(`icon ${iconPosition}`, { iconPosition })),
    {
      ...standard,
      name: "another icon",
      render: () => (
        <TextLink href="/widgets" icon="chevron-right">
          All offers
        </TextLink>
      ),
    },
    {
      ...standard,
      name: "external",
      render: () => (
        <TextLink href="https://example.com/" newTabHint="opens in a new tab">
          The seal and what it stands for
        </TextLink>
      ),
    },
    {
      ...standard,
      name: "in a text",
      render: () => (
        <p>
          Orders are sent within two working days. Read{" "}
          <TextLink href="/widgets" iconPosition="none">
            what delivery costs and how you can send something back
          </TextLink>{" "}
          before you order.
        </p>
      ),
      code: `<TextLink href="/widgets" iconPosition="none">
  what delivery costs and how you can send something back
</TextLink>`,
    },
    {
      ...standard,
      name: "disabled",
      state: "disabled",
      render: () => (
        <TextLink href="/widgets" disabled>
          Track the parcel
        </TextLink>
      ),
    },
  ],
};
