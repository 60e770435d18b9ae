import type { Router } from "express";
import type { Brand } from "../brand/brand.ts";
import type { Drawings, Logos, Pictures } from "../brand/load-images.ts";
import type { Env } from "../config/env.ts";
import type { OriginalAddressOf } from "../http/client-address.ts";
import type { EdgeTags } from "../http/edge-tags.ts";
import type { SecurityHeaders } from "../http/security-headers.ts";
import type { Assets } from "../platform/assets.ts";
import type { Job, Readiness, Resource } from "../platform/lifecycle.ts";
import type { Logger } from "../platform/logger.ts";
import type { Metrics } from "../platform/metrics.ts";
import type { SecretKeys } from "../platform/secret-keys.ts";
import type { ReportEvent } from "../platform/security-events.ts";
import type { Texts } from "../platform/texts.ts";
import type { Fragment } from "../rendering/fragment.ts";
import type { PageRenderer } from "../rendering/page-renderer.tsx";
import type { renderStream } from "../rendering/render-element.ts";
import type { CountryRegistry } from "../sites/countries.ts";
import type { SiteResolver } from "../sites/resolve-site.ts";
import type { Store } from "../store/open-store.ts";
import type { ServiceCalls } from "../upstream/service-routes.ts";
import type { Upstreams } from "../upstream/site-upstreams.ts";

/** The context of every feature: created once at the start, read by all, changed by none. */
export interface AppContext {
  env: Env;
  logger: Logger;
  metrics: Metrics;
  readiness: Readiness;
  securityHeaders: SecurityHeaders;
  assets: Assets;
  brand: Brand;
  countries: CountryRegistry;
  drawings: Drawings;
  edgeTags: EdgeTags;
  logos: Logos;
  /** The default pictures of the newsletter sign-up. */
  pictures: Pictures;
  siteOf: SiteResolver;
  originalAddressOf: OriginalAddressOf;
  texts: Texts;
  keys: SecretKeys;
  /** The configured real services of each site. For a missing one, the embedded service answers. */
  upstreams: Upstreams;
  /** The open resources, in the order in which they were opened. They are closed in reverse order. */
  resources: Resource[];
  /**
   * Opens the store at the first call, so that a service without embedded services has none.
   * @throws StartError if it can't be opened
   */
  openStore(): Promise<Store>;
  /** The store, once a feature has opened it. */
  openedStore(): Promise<Store> | undefined;
  /** Reports a security event. All replicas use the same id for the same account. */
  reportSecurityEvent: ReportEvent;
  /** Replaces the React renderer in tests. */
  renderElement?: typeof renderStream | undefined;
}

/** What a feature adds to the service. */
export interface Feature {
  fragments?: readonly Fragment[];
  /** Its service below /service. */
  service?: ServiceCalls;
  /** Creates the routes of its pages and forms. */
  pages?(renderer: PageRenderer): readonly Router[];
  /** Background jobs, which run from the start of the service to its end. */
  jobs?: readonly Job[];
}
