import type widgets from "../../locales/de/widgets.json";

export type WidgetTextKey = keyof typeof widgets;

/** The kit's own words in one language. */
export type WidgetTexts = Record<WidgetTextKey, string>;
