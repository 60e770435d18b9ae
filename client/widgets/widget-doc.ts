import type { ReactElement } from "react";
import type { WidgetTextKey, WidgetTexts } from "./widget-texts.ts";

/** One state of a widget: shown in the gallery, and what the tests of the kit go through. */
export interface WidgetExample {
  /** Names the example among those of its widget; the gallery makes a heading and an anchor of it. */
  name: string;
  variant?: string;
  size?: string;
  state?: string;
  render(texts: WidgetTexts): ReactElement;
  /** The code that the gallery shows, where a developer would write something else than `render` does. */
  code?: string;
}

export interface WidgetProperty {
  name: string;
  type: string;
  /** What counts when the property isn't given; a property without a standard must be given. */
  standard?: string;
  text: string;
}

/** The documentation of a widget, which stands in its folder. */
export interface WidgetDoc {
  /** The name of the widget's folder; in the markup, `data-widget`. */
  widget: string;
  title: string;
  group: "actions" | "forms" | "messages" | "surfaces";
  purpose: string;
  properties: WidgetProperty[];
  do: string[];
  dont: string[];
  /** Which of the kit's own words the examples need. */
  texts?: WidgetTextKey[];
  /** Shows the examples in the language of every site, too. */
  inEveryLanguage?: boolean;
  examples: WidgetExample[];
}

/** Writes a choice of values as the type of a property: `"a" | "b"`. */
export function choiceOf(values: readonly string[]): string {
  return values.map((value) => `"${value}"`).join(" | ");
}
