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
  /** A list stands for the choice of one of its values. */
  type: string | readonly string[];
  /** What counts when the property isn't given; a property without a standard must be given. */
  standard?: string;
  text: string;
}

/** What the playground sets on a widget, by the names of its properties. One at its standard may be missing. */
export type PlaygroundProperties = Record<string, string | number | boolean>;

/** A widget whose properties the reader sets. */
export interface WidgetPlayground {
  /** The properties that can be set, and what they are at first: "" and false leave a property at its standard. */
  start: Record<string, string | false>;
  render(properties: PlaygroundProperties, texts: WidgetTexts): ReactElement;
  /** How the code begins: the component, and what it needs beside the properties that can be set. */
  tag: string;
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
  /** What it does for people with a keyboard or a screen reader, and what is left to its caller. */
  accessibility: string[];
  /** Which of the kit's own words the examples need. */
  texts?: WidgetTextKey[];
  /** Offers the examples in the language of every site, too. */
  inEveryLanguage?: boolean;
  playground: WidgetPlayground;
  /** A small drawing for the index, where the first example doesn't show what the widget looks like. */
  picture?(texts: WidgetTexts): ReactElement;
  examples: WidgetExample[];
}
