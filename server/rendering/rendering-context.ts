import type { Brand } from "../brand/brand.ts";
import type { Drawings } from "../brand/load-images.ts";
import type { Env } from "../config/env.ts";
import type { EdgeTags } from "../http/edge-tags.ts";
import type { Assets } from "../platform/assets.ts";
import type { Readiness } from "../platform/lifecycle.ts";
import type { Logger } from "../platform/logger.ts";
import type { Metrics } from "../platform/metrics.ts";
import type { Texts } from "../platform/texts.ts";
import type { CountryRegistry } from "../sites/countries.ts";
import type { SiteResolver } from "../sites/resolve-site.ts";
import type { renderStream } from "./render-element.ts";
import type { PreviewOf, SessionOf } from "./visitor.ts";

/** Dependencies of rendering. */
export interface RenderingContext {
  assets: Assets;
  brand: Brand;
  countries: CountryRegistry;
  drawings: Drawings;
  edgeTags: EdgeTags;
  env: Env;
  logger: Logger;
  metrics: Metrics;
  previewOf: PreviewOf;
  readiness: Readiness;
  /** Replaces the React renderer in tests. */
  renderElement?: typeof renderStream | undefined;
  sessionOf: SessionOf;
  siteOf: SiteResolver;
  texts: Texts;
}
