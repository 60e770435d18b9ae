import type { ReactElement } from "react";
import type widgets from "../../locales/de/widgets.json";

export type WidgetTextKey = keyof typeof widgets;

/** The widget texts in one language. */
export type WidgetTexts = Record<WidgetTextKey, string>;

/** One state of a widget, for the gallery and the tests. */
export interface WidgetExample {
  /** Unique within the widget; used as the gallery's heading and anchor. */
  name: string;
  variant?: string;
  size?: string;
  state?: string;
  render(texts: WidgetTexts): ReactElement;
  /** The code shown in the gallery, if it differs from what `render` does. */
  code?: string;
}

/** The documentation of a widget, in its folder. */
export interface WidgetDoc {
  /** The name of the widget's folder; in the markup, `data-widget`. */
  widget: string;
  title: string;
  group: "actions" | "forms" | "messages" | "surfaces";
  purpose: string;
  do: string[];
  dont: string[];
  /** What the widget does for people who use a keyboard or a screen reader, and what its caller must do. */
  accessibility: string[];
  /** The widget texts that the examples need. */
  texts?: WidgetTextKey[];
  /** Whether the examples are also shown in the language of every site. */
  inEveryLanguage?: boolean;
  /** A drawing for the index, for a widget whose first example doesn't show what it looks like. */
  picture?(texts: WidgetTexts): ReactElement;
  examples: WidgetExample[];
}
