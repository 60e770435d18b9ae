import type gallery from "../../locales/en/gallery.json";
import type { IslandMarkup } from "../islands/Island.tsx";
import type { WidgetDoc } from "../widgets/widget-doc.ts";
import type { WidgetTexts } from "../widgets/widget-texts.ts";

/** Gives a text of the gallery. */
export type GalleryText = (key: keyof typeof gallery) => string;

/** What every page of the gallery has. */
export interface GalleryFrameProps {
  text: GalleryText;
  styles: string[];
  scripts: string[];
  groups: { name: WidgetDoc["group"]; widgets: WidgetDoc[] }[];
  /** The widget that the page is about; the index is about none. */
  widget?: string | undefined;
}

export interface WidgetIndexProps extends GalleryFrameProps {
  sprite: string;
  texts: WidgetTexts;
}

export interface WidgetPageProps extends GalleryFrameProps {
  doc: WidgetDoc;
  playground: IslandMarkup;
  /** The languages that the examples can be shown in; none if there is but one. */
  languages: SpecimenLanguage[];
  specimens: Specimen[];
}

export interface SpecimenLanguage {
  locale: string;
  url: string;
  /** What the language calls itself. */
  name: string;
  isCurrent: boolean;
}

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
