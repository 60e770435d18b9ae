import { TextLink } from "../text-link/TextLink.tsx";
import type { WidgetDoc } from "../widget-doc.ts";
import { Expandable, ExpandableText } from "./Expandable.tsx";

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
    "Hides what most people don’t need at first: Expandable a whole panel, ExpandableText the rest of a long text.",
  do: [
    "Let the summary say what is inside.",
    "Put what everyone must know before it, or at the start of the text.",
    "Use ExpandableText only for texts that exceed its lines in wide windows, too.",
  ],
  dont: ["Don’t hide required fields, or what a consent covers."],
  texts: ["expandable.more", "expandable.less"],
  accessibility: [
    "Both are native disclosures: Enter and Space toggle them, and screen readers announce their state. Neither needs JavaScript.",
    "Searching the page, or following a link to the content, opens the panel. Screen readers read a long text as a whole.",
    "When a link in a long text gets the focus, the whole text is shown. In print, both show everything.",
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
