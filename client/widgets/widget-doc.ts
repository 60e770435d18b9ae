import type { ReactElement } from "react";
import type { WidgetTextKey, WidgetTexts } from "./widget-texts.ts";

/** One state of a widget: shown in the gallery, and what the tests of the kit go through. */
export interface WidgetExample {
  /** Names the example within its widget; a heading and an anchor. */
  name: string;
  variant?: string;
  size?: string;
  state?: string;
  render(texts: WidgetTexts): ReactElement;
  /** Code to copy, where what `render` gives isn't what a developer would write. */
  code?: string;
}

export interface WidgetProperty {
  name: string;
  type: string;
  /** What counts when it isn't given; without, it must be. */
  standard?: string;
  text: string;
}

/** The documentation of a widget, which stands in its folder. */
export interface WidgetDoc {
  /** In the markup, `data-widget`: the folder's name. */
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

/** How properties name a choice. */
export function choiceOf(values: readonly string[]): string {
  return values.map((value) => `"${value}"`).join(" | ");
}
