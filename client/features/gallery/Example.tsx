import type { WidgetTexts } from "../../widgets/widget-doc.ts";
import { widgetDocs } from "./widget-docs.ts";

interface ExampleProps {
  widget: string;
  example: string;
  texts: WidgetTexts;
}

/** An example of a widget, as an island that visitors of the gallery can use. */
export function Example({ widget, example, texts }: ExampleProps) {
  const doc = widgetDocs.find((candidate) => candidate.widget === widget);
  const found = doc?.examples.find((candidate) => candidate.name === example);
  return found?.render(texts);
}
