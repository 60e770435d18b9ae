import type { Request } from "express";
import type { ReactElement } from "react";
import type { Moment } from "../../client/rules/time.ts";
import type { AssetNames } from "../assets.ts";
import type { PreviewOf } from "../services/preview-of.ts";
import type { Site } from "../sites/countries.ts";
import type { Validation } from "../validate.ts";

/** A piece of a page, as composers include it. What its parameters and its content are made of, it alone knows. */
export interface Fragment {
  name: string;
  /** Names of the built files it needs in the browser. */
  assets: AssetNames;
  /** Checks the parameters of a query and fills in the defaults; leaves out what isn't a parameter. */
  read(query: Record<string, unknown>): Validation<AskedFragment>;
  /** The safe variants that stand in on a site when a render fails, in the order of time. */
  fallbacks(site: Site): Fallback[];
}

/** What a query asks for. */
export interface AskedFragment {
  /** Every parameter by its name. */
  parameters: object;
  /** What the sender of a request gets of it: a cookie may change a parameter, and staff may preview another time. */
  prepare(site: Site, request: Pick<Request, "cookies">, previewOf: PreviewOf): Promise<FragmentVariant>;
}

/** A fragment in one of its states, before it is rendered. */
export interface FragmentVariant {
  fragment: Fragment;
  site: Site;
  /** Names all that its bytes depend on beside the build: fragment, site, parameters, and data of the world outside. */
  key: string;
  /** Whether a cookie of the request has made it what it is. */
  isPersonal: boolean;
  /** Whether it shows what staff preview. */
  isPreview: boolean;
  /** @throws what putting together its content throws */
  build(): FragmentContent;
}

/** What a variant shows. */
export interface FragmentContent {
  /** Plain data that decides every byte of the element. */
  props: object;
  element(): ReactElement;
}

/** What stands in from a moment on, until the next one does. */
export interface Fallback {
  from: Moment;
  build(): FragmentContent;
}
