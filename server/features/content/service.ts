import type { Moment } from "../../../client/rules/time.ts";
import type { RequestedPreview } from "../../rendering/visitor.ts";
import type { Site } from "../../sites/countries.ts";
import type { SiteContent } from "../../sites/site-content.ts";
import type { Feature } from "../feature.ts";

export interface Content extends Feature {
  contents: Contents;
}

/** What the footers of the sites show: what is built in, or what the content service gives. */
export interface Contents {
  /** Returns the content of a site, without waiting. An unchanged content is the same object. */
  current(site: Site): SiteContent;
  /** Fetches the content that staff preview. A failure is logged, and leaves the current one. */
  previewed(site: Site, preview: RequestedPreview): Promise<SiteContent>;
  /** Reports on the contents of the sites; missing without a content service. */
  report?(site: Site): ContentReport;
}

/** Where the content of a site is from. */
interface ContentReport {
  /** The parts that the service gives. */
  parts: SiteContent["parts"];
  /** Since when the content is shown; undefined before the service's first answer. */
  since: Moment | undefined;
  /** The service's last answer, if it was refused. */
  refused: RefusedContent | undefined;
}

export interface RefusedContent {
  id: string;
  at: Moment;
  /** The first faults, each as `/field message`. */
  faults: readonly string[];
  /** How many faults there are. */
  count: number;
}
