import { TextLink } from "../text-link/TextLink.tsx";
import type { WidgetDoc } from "../widget-doc.ts";
import { Expandable } from "./Expandable.tsx";
import { ExpandableText } from "./ExpandableText.tsx";

const legal = (size: "small" | "medium" = "medium") => (
  <>
    <p>
      You can withdraw your consent at any time and free of charge, with effect for the future: by the link at the end
      of every newsletter, or by a message to our customer service.
    </p>
    <p>
      The voucher is valid for one month, once per customer, and cannot be combined with other vouchers or paid out in
      cash. It is not valid for gift cards, books and mobile plans.
    </p>
    <p>
      Read{" "}
      <TextLink href="/widgets" size={size} iconPosition="none">
        how we protect your data
      </TextLink>
      .
    </p>
  </>
);

export const expandableDoc: WidgetDoc = {
  widget: "expandable",
  title: "Expandable",
  group: "surfaces",
  purpose:
    "Keeps back what most people don’t need at first: Expandable a whole panel, ExpandableText the rest of a long text.",
  do: [
    "Let the summary say what is inside.",
    "Put what everybody must know in front of it, or at the start of the text.",
    "Take ExpandableText for a text that is longer than its lines in a wide window, too.",
  ],
  dont: ["Don’t hide mandatory fields, or what a consent is about."],
  texts: ["expandable.more", "expandable.less"],
  accessibility: [
    "Both are the browser’s own disclosure: Enter and Space open it, and its state is said. Neither needs script.",
    "A search in the page and a link to what is inside open a panel. A screen reader reads a long text as a whole.",
    "A link in a long text that gets the focus shows the whole text; printed, both show everything.",
  ],
  examples: [
    {
      name: "panel",
      variant: "panel",
      state: "default",
      render: () => <Expandable summary="Delivery and returns">{legal()}</Expandable>,
    },
    {
      name: "open panel",
      variant: "panel",
      state: "open",
      render: () => (
        <Expandable summary="Delivery and returns" open>
          {legal()}
        </Expandable>
      ),
    },
    {
      name: "text",
      variant: "text",
      size: "medium",
      state: "default",
      render: (texts) => (
        <ExpandableText more={texts["expandable.more"]} less={texts["expandable.less"]}>
          {legal()}
        </ExpandableText>
      ),
    },
    {
      name: "small text",
      variant: "text",
      size: "small",
      state: "default",
      render: (texts) => (
        <ExpandableText size="small" more={texts["expandable.more"]} less={texts["expandable.less"]}>
          {legal("small")}
        </ExpandableText>
      ),
    },
  ],
};
