import type { Moment } from "../../../client/rules/time.ts";
import type { RequestedPreview } from "../../rendering/visitor.ts";
import type { Site } from "../../sites/countries.ts";
import type { SiteContent } from "../../sites/site-content.ts";
import type { Feature } from "../feature.ts";

export interface Content extends Feature {
  contents: Contents;
}

/** The content of the sites' footers: the built-in one, or that of the content service. */
export interface Contents {
  /** Returns the content of a site without waiting. An unchanged content is the same object. */
  current(site: Site): SiteContent;
  /** Fetches the content that staff preview. After a failure, which is logged, returns the current content. */
  previewed(site: Site, preview: RequestedPreview): Promise<SiteContent>;
  /** Reports on the contents of the sites; missing without a content service. */
  report?(site: Site): ContentReport;
}

/** The origin of a site's content. */
interface ContentReport {
  /** The parts that come from the content service. */
  parts: SiteContent["parts"];
  /** Since when the content has been shown; undefined before the service's first answer. */
  since: Moment | undefined;
  /** The service's last answer, if it was refused. */
  refused: RefusedContent | undefined;
}

export interface RefusedContent {
  id: string;
  at: Moment;
  /** The first faults, each as `/field message`. */
  faults: readonly string[];
  /** The number of faults. */
  count: number;
}
