import type { ReactElement } from "react";
import type { AssetNames } from "../assets.ts";
import type { RequestedPreview } from "../services/preview-of.ts";
import type { Site } from "../sites/countries.ts";
import type { Validation } from "../validate.ts";

/**
 * A piece of a page, as composers include it.
 * Its bytes are a function of the site, its parameters, its data and the build: `props` sees nothing of the request.
 */
export interface Fragment<
  Parameters extends object = object,
  Props extends object = object,
  Data extends object = object,
> {
  name: string;
  /** Names of the built files it needs in the browser. */
  assets: AssetNames;
  /** Checks the query and fills in the defaults. */
  readParameters(query: Record<string, unknown>): Validation<Parameters>;
  /** What the visitor's cookies change; the same object when they change nothing. */
  personalize(parameters: Parameters, cookies: Record<string, unknown>): Parameters;
  /** What it shows of the world outside as that is now, such as a promotion: plain data, without waiting for it. */
  data?(site: Site): Data;
  /** The same as staff preview it: at another time, for a group of an A/B test. Only a fragment that has it heeds that. */
  previewData?(site: Site, preview: RequestedPreview): Promise<Data>;
  /** Everything the element shows. Must be plain data: the ETag is made of it. */
  props(site: Site, parameters: Parameters, data?: Data): Props;
  render(props: Props): ReactElement;
  /**
   * What the fallback shows, in the order of time; without it, the fallback does without data.
   * `from`: since when, in milliseconds since the epoch.
   */
  fallbackVersions?(site: Site): { from: number; data: Data }[];
  /** Parameters of the safe variant that stands in when a render fails. */
  fallbackParameters: Parameters;
}
