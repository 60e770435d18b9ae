import type { Request } from "express";
import type { ReactElement } from "react";
import type { Moment } from "../../client/rules/time.ts";
import type { AssetNames } from "../assets.ts";
import { RequestError } from "../errors.ts";
import type { PreviewOf } from "../services/preview-of.ts";
import type { Site } from "../sites/countries.ts";
import type { Validation } from "../validate.ts";

/** A piece of a page, as composers include it. The types of its parameters and its props are known inside it alone. */
export interface Fragment {
  name: string;
  /** Names of the built files it needs in the browser. */
  assets: AssetNames;
  /** Checks the parameters of a query and fills in the defaults. What isn't a parameter is left out. */
  read(query: Record<string, unknown>): Validation<AskedFragment>;
  /** Lists what stands in on a site when a render fails, in the order of time. */
  fallbacks(site: Site): Fallback[];
}

/** A fragment as a query asks for it. */
export interface AskedFragment {
  /** Value of every parameter, by its name. */
  parameters: object;
  /** Finds the variant for the sender of a request: cookies may change a parameter, and staff may preview a time. */
  prepare(site: Site, request: Pick<Request, "cookies">, previewOf: PreviewOf): Promise<FragmentVariant>;
}

/** A fragment in one of its states, before it is rendered. */
export interface FragmentVariant {
  fragment: Fragment;
  site: Site;
  /** Equal for variants with equal bytes: made of fragment, site, parameters and the data of the world outside. */
  key: string;
  /** Whether a parameter is a text that anybody may choose. */
  hasText: boolean;
  /** Whether a cookie of the request has changed it. */
  isPersonal: boolean;
  /** Whether it shows what staff preview. */
  isPreview: boolean;
  /** When it changes, as far as that was known when it was prepared; else Infinity. */
  until: Moment;
  /**
   * Tells whether it is still what the sender of a later request for the same address gets.
   * @returns when it changes, as far as that is known by now; undefined when it is something else already
   */
  holdsUntil(request: Pick<Request, "cookies">): Moment | undefined;
  /** Builds the content; throws what the definition of the fragment throws. */
  build(): FragmentContent;
}

/** What a variant shows. */
export interface FragmentContent {
  /** Plain data that decides every byte of the element. */
  props: object;
  element(): ReactElement;
}

/** What stands in for a fragment from a moment on, until the next one does. */
export interface Fallback {
  from: Moment;
  build(): FragmentContent;
}

/**
 * Reads what a query asks of a fragment.
 * @throws RequestError naming each wrong parameter
 */
export function askFragment(fragment: Fragment, query: Record<string, unknown>): AskedFragment {
  const read = fragment.read(query);
  if (read.valid) return read.data;
  throw new RequestError("badRequest", read.faults.map((fault) => fault.replace(/^\//, "")).join("; "));
}
