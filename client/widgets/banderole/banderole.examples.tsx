import type { WidgetDoc, WidgetExample } from "../widget-doc.ts";
import { Banderole, banderoleVariants } from "./Banderole.tsx";

const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 300"><path fill="#efe6da" d="M0 0h400v300H0z"/><circle cx="300" cy="80" r="44" fill="#faf6f0"/><path fill="#a9825f" d="M120 110h130v70a55 55 0 0 1-55 55h-20a55 55 0 0 1-55-55z"/><path fill="none" stroke="#a9825f" stroke-width="14" d="M250 130h18a24 24 0 0 1 0 48h-22"/></svg>`;
const picture = (
  <img src={`data:image/svg+xml,${encodeURIComponent(drawing)}`} width="400" height="300" alt="A cup of coffee" />
);
const contents = {
  default: { discount: "10 %", text: "Welcome voucher" },
  sale: { discount: "−30 %", text: "Summer sale" },
  voucher: { discount: "5 €", text: "With your next order" },
  "long text": {
    discount: "10 %",
    text: "Welcome voucher for your first order from 50 € on everything but gift cards",
  },
} as const;

function example(name: keyof typeof contents, variant: (typeof banderoleVariants)[number]): WidgetExample {
  const { discount, text } = contents[name];
  return {
    name,
    variant,
    state: "default",
    render: () => (
      <Banderole variant={variant} discount={discount} text={text}>
        {picture}
      </Banderole>
    ),
    code: `<Banderole variant="${variant}" discount="${discount}" text="${text}">
  <img … />
</Banderole>`,
  };
}

export const banderoleDoc: WidgetDoc = {
  widget: "banderole",
  title: "Banderole",
  group: "messages",
  purpose: "A marketing strip across a picture that says what customers get, and how.",
  do: ["Keep it to an amount and two or three words.", "State the conditions nearby."],
  dont: ["Don’t make the words part of the picture file: they couldn’t be read aloud, translated or enlarged."],
  accessibility: [
    "The words are text, so they can be read aloud and translated, and they grow with the visitor’s font.",
    "The picture needs its own alternative text. Don’t repeat the words of the strip there.",
    "The contrast is at least 4.5:1, whatever the picture.",
  ],
  examples: [
    ...banderoleVariants.map((variant) => example(variant, variant)),
    {
      name: "without a picture",
      variant: "default",
      state: "default",
      render: () => <Banderole {...contents.default} />,
    },
    example("long text", "default"),
  ],
};
