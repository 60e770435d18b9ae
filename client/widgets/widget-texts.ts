import type widgets from "../../locales/de/widgets.json";

export type WidgetTextKey = keyof typeof widgets;

/** The widget texts in one language. */
export type WidgetTexts = Record<WidgetTextKey, string>;
