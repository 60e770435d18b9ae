import { type ReactNode, useState } from "react";
import { Button } from "../button/Button.tsx";
import { TextLink } from "../text-link/TextLink.tsx";
import type { WidgetDoc } from "../widget-doc.ts";
import { Modal, modalSizes } from "./Modal.tsx";

interface OpenerProps {
  title: string;
  closeLabel: string;
  size?: (typeof modalSizes)[number];
  children?: ReactNode;
}

function Opener({ children, ...props }: OpenerProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="secondary" onClick={() => setOpen(true)}>
        {props.title}
      </Button>
      <Modal {...props} open={open} onClose={() => setOpen(false)}>
        {children}
      </Modal>
    </>
  );
}

const sizes = {
  S: "Remove the item?",
  M: "How delivery works",
  L: "Find your size",
} as const;

const longText = Array.from({ length: 12 }, (_, index) => (
  // biome-ignore lint/suspicious/noArrayIndexKey: the paragraphs never change
  <p key={index}>
    {index + 1}. We send your order within two working days. You get a mail as soon as it is on its way, with a link
    that shows where it is. You can also pick it up at a store, free of charge.
  </p>
));

const code = `const [open, setOpen] = useState(false);
…
<Button onClick={() => setOpen(true)}>Delivery</Button>
<Modal open={open} onClose={() => setOpen(false)} title="How delivery works" closeLabel={texts.close}>
  …
</Modal>`;

export const modalDoc: WidgetDoc = {
  widget: "modal",
  title: "Modal",
  group: "surfaces",
  purpose: "Asks or shows something that people must deal with before they continue.",
  do: [
    "Open it only at the visitor’s request.",
    "If it has to work without JavaScript, open it from a link to a page with the same content.",
  ],
  dont: ["Don’t open a modal when a page loads.", "Don’t use it for content that fits on the page. Use an expandable."],
  texts: ["close"],
  accessibility: [
    "The title is its name. When it opens, focus moves into it, and Tab stays inside.",
    "Escape, the close button and a click outside close it. Focus returns to where it was.",
    "The page behind it doesn’t scroll and is hidden from screen readers.",
  ],
  picture: () => (
    <svg viewBox="0 0 160 100" width="160" height="100" aria-hidden="true">
      <path fill="currentColor" opacity=".2" d="M0 0h160v100H0z" />
      <rect x="24" y="16" width="112" height="68" rx="6" fill="#fff" stroke="currentColor" />
      <path stroke="currentColor" strokeWidth="4" d="M36 32h48M36 48h88M36 60h88M36 72h60" />
      <path stroke="currentColor" strokeWidth="2" d="m116 27 9 9m0-9-9 9" />
    </svg>
  ),
  examples: [
    ...modalSizes.map((size) => ({
      name: `size ${size}`,
      size,
      state: "default",
      render: (texts: { close: string }) => (
        <Opener title={sizes[size]} size={size} closeLabel={texts.close}>
          <p>
            We send your order within two working days. Read more about{" "}
            <TextLink href="/widgets" iconPosition="none">
              delivery and returns
            </TextLink>
            .
          </p>
        </Opener>
      ),
      code,
    })),
    {
      name: "long content",
      size: "S",
      state: "default",
      render: (texts) => (
        <Opener title="Everything about delivery" size="S" closeLabel={texts.close}>
          {longText}
        </Opener>
      ),
      code,
    },
    {
      name: "one above another",
      size: "L",
      state: "default",
      render: (texts) => (
        <Opener title="Your order" size="L" closeLabel={texts.close}>
          <Opener title="Cancel the order" size="S" closeLabel={texts.close}>
            <p>It hasn’t been sent yet, so you can still cancel it.</p>
          </Opener>
        </Opener>
      ),
      code,
    },
  ],
};
