import type gallery from "../../locales/en/gallery.json";
import type { IslandMarkup } from "../islands/Island.tsx";
import type { WidgetDoc } from "../widgets/widget-doc.ts";

/** What the gallery shows: the documentation of every widget, with its examples alive. */
export interface GalleryProps {
  text: GalleryText;
  styles: string[];
  scripts: string[];
  groups: { name: WidgetDoc["group"]; widgets: WidgetEntry[] }[];
}

/** Gives a text of the gallery. */
export type GalleryText = (key: keyof typeof gallery) => string;

export type WidgetEntry = Omit<WidgetDoc, "examples"> & { specimens: Specimen[] };

/** One example as the gallery shows it. */
export interface Specimen {
  /** Its anchor; unique in the page. */
  id: string;
  name: string;
  variant: string | undefined;
  size: string | undefined;
  state: string | undefined;
  /** The language of its words. */
  locale: string;
  code: string;
  island: IslandMarkup;
}
