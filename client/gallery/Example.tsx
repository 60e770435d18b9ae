import { IconSprite } from "../icons/IconSprite.tsx";
import type { WidgetTexts } from "../widgets/widget-texts.ts";
import { widgetDocs } from "./widget-docs.ts";

export interface ExampleProps {
  widget: string;
  example: string;
  texts: WidgetTexts;
  sprite: string;
}

/** One example of a widget as an island, so that it can be used. */
export function Example({ widget, example, texts, sprite }: ExampleProps) {
  const doc = widgetDocs.find((candidate) => candidate.widget === widget);
  const found = doc?.examples.find((candidate) => candidate.name === example);
  return <IconSprite url={sprite}>{found?.render(texts)}</IconSprite>;
}
