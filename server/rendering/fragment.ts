import type { Request } from "express";
import type { ReactElement } from "react";
import type { Moment } from "../../client/rules/time.ts";
import { mayPreview } from "../http/cookies.ts";
import type { AssetNames } from "../platform/assets.ts";
import { RequestError } from "../platform/errors.ts";
import { createValidator, type Validation } from "../platform/validate.ts";
import type { Site } from "../sites/countries.ts";
import type { AbGroup } from "./ab-group.ts";
import type { PreviewOf, RequestedPreview } from "./visitor.ts";

/** A piece of a page that composers include. The types of its parameters and props stay inside. */
export interface Fragment {
  name: string;
  /** The names of the built files that it needs in the browser. */
  assets: AssetNames;
  /** Validates the parameters of a query and fills in defaults; unknown ones are dropped. */
  parse(query: Record<string, unknown>): Validation<object>;
  /**
   * Finds the variant for a query and the sender of a request: cookies may change a parameter, and staff may preview
   * another time.
   * @throws RequestError naming each wrong parameter of the query
   */
  prepare(
    query: Record<string, unknown>,
    site: Site,
    request: Pick<Request, "cookies">,
    previewOf: PreviewOf,
  ): Promise<FragmentVariant>;
  /** Lists the replacements of the fragment on a site if a render fails, in the order of time. */
  fallbacks(site: Site): Fallback[];
}

/** A fragment in one of its states, before it is rendered. */
export interface FragmentVariant {
  fragment: Fragment;
  site: Site;
  /** Equal for variants with equal bytes: composed of fragment, site, parameters and dynamic data. */
  key: string;
  /** Whether a parameter is free text, which allows any number of variants. */
  hasText: boolean;
  /**
   * Whether the query has parameters that the fragment ignores, which allows any number of URLs. The group of an A/B
   * test is one of them unless the test is active.
   */
  hasUnknown: boolean;
  /** The group of an A/B test that the query names, and whether the fragment shows what this group sees. */
  asked?: { group: AbGroup; isShown: boolean };
  /** Whether a cookie of the request has changed it. */
  isPersonal: boolean;
  /** The next change known when the variant was prepared; Infinity if none is known. */
  until: Moment;
  /**
   * Checks whether a later request for the same URL gets this variant, too.
   * @returns the next change known by now; undefined if the request gets another variant
   */
  validUntil(request: Pick<Request, "cookies" | "headers">): Moment | undefined;
  /**
   * Builds the content.
   * @throws what the definition of the fragment throws
   */
  build(): FragmentContent;
}

/** A variant without its data. It may be kept for longer than they hold, and takes no memory for them. */
export type KnownVariant = Omit<FragmentVariant, "build">;

export interface FragmentContent {
  /** Plain data that decide every byte of the element. */
  props: object;
  element(): ReactElement;
}

/** The replacement of a fragment from a moment until the next replacement. */
export interface Fallback {
  from: Moment;
  /** Equal for fallbacks of a site with equal bytes. */
  key: string;
  build(): FragmentContent;
}

/** Data of a fragment that change while the service runs, such as a promotion. */
interface DynamicData<Data> {
  /**
   * Returns the current data without waiting, and their next change. Unchanged data are the same value.
   * @param group - the group of an A/B test that the request names
   * @returns `showsGroup`: whether these are the data for this group
   */
  current(site: Site, group?: AbGroup): { data: Data; until: Moment; showsGroup?: boolean };
  /** Fetches the data for a group, so that `current` knows them. Waits for a short time at most. */
  fetchGroup?(site: Site, group: AbGroup): Promise<void>;
  /** Fetches the data that staff preview. Without this function, staff see the same as everybody. */
  previewed?(site: Site, preview: RequestedPreview): Promise<Data>;
  /** Lists the data of the fallbacks, in the order of time. */
  fallbackData(site: Site): { from: Moment; data: Data }[];
}

/** For fragments without dynamic data. */
export const staticData: DynamicData<undefined> = {
  current: () => ({ data: undefined, until: Infinity }),
  fallbackData: () => [{ from: -Infinity, data: undefined }],
};

/** The definition of a fragment. Its bytes must depend only on site, parameters, data and build. */
interface FragmentDefinition<Parameters extends object, Props extends object, Data> {
  /** The name in the fragment's path, and in the name of its parameters' schema: `<name>-parameters`. */
  name: string;
  assets: AssetNames;
  /** Whether a parameter is free text. Without this function, none is. */
  hasText?(parameters: Parameters): boolean;
  /** Returns the group of an A/B test that a request names. Without this function, none. */
  groupOf?(parameters: Parameters): AbGroup | undefined;
  /** Changes parameters by the visitor's cookies. Must return the same object if they change nothing. */
  personalize?(parameters: Parameters, cookies: Record<string, unknown>): Parameters;
  data: DynamicData<Data>;
  /** Builds everything that the element shows, as plain data. The ETag is a hash of these. */
  props(site: Site, parameters: Parameters, data: Data): Props;
  render(props: Props): ReactElement;
  fallbackParameters: Parameters;
}

/** Creates a fragment from its definition. */
export function defineFragment<Parameters extends object, Props extends object, Data = undefined>(
  definition: FragmentDefinition<Parameters, Props, Data>,
): Fragment {
  const { name, assets, groupOf, personalize, fallbackParameters } = definition;
  const { current, fetchGroup, previewed, fallbackData } = definition.data;
  const parse = createValidator<Parameters>(`${name}-parameters`);
  const fragment: Fragment = {
    name,
    assets,
    parse: (query) => parse({ ...query }),
    async prepare(query, site, request, previewOf) {
      const parsed = parse({ ...query });
      if (!parsed.valid)
        throw new RequestError("badRequest", parsed.faults.map((fault) => fault.replace(/^\//, "")).join("; "));
      const given = parsed.data;
      const parameters = personalize?.(given, request.cookies) ?? given;
      const preview = previewed && (await previewOf(request));
      const group = groupOf?.(given);
      if (group && !preview) await fetchGroup?.(site, group);
      const { data, until, showsGroup } = preview
        ? { data: await previewed(site, preview), until: Infinity }
        : current(site, group);
      const isShown = showsGroup === true;
      const isPersonal = preview !== undefined || parameters !== given;
      const isUnknown = (name: string) => name !== "site" && !Object.hasOwn(given, name);
      return {
        fragment,
        site,
        // A group that is shown is part of the data.
        key: JSON.stringify([name, site.site, { ...parameters, variant: undefined }, data]),
        hasText: definition.hasText?.(parameters) ?? false,
        hasUnknown: Object.keys(query).some(isUnknown) || (group !== undefined && !isShown),
        ...(group && { asked: { group, isShown } }),
        isPersonal,
        until,
        validUntil: isPersonal ? () => undefined : createCheck(site, given, group, weaken(data)),
        build: () => build(site, parameters, data),
      };
    },
    fallbacks: (site) =>
      fallbackData(site).map(({ from, data }) => ({
        from,
        key: JSON.stringify([data]),
        build: () => build(site, fallbackParameters, data),
      })),
  };
  return fragment;

  /** Creates `validUntil` of a variant that isn't personal. It doesn't keep the data in memory. */
  function createCheck(
    site: Site,
    given: Parameters,
    group: AbGroup | undefined,
    data: WeakRef<object> | undefined,
  ): FragmentVariant["validUntil"] {
    return (later) => {
      if (isPersonalized(given, later)) return undefined;
      const latest = current(site, group);
      return Object.is(latest.data, data?.deref()) ? latest.until : undefined;
    };
  }

  /** Whether a cookie of a request changes anything. Requests from caches have no cookies. */
  function isPersonalized(given: Parameters, request: Pick<Request, "cookies" | "headers">): boolean {
    if (request.headers.cookie === undefined) return false;
    if (previewed && mayPreview(request)) return true;
    return (personalize?.(given, request.cookies) ?? given) !== given;
  }

  function build(site: Site, parameters: Parameters, data: Data): FragmentContent {
    const props = definition.props(site, parameters, data);
    return { props, element: () => definition.render(props) };
  }
}

/** @returns undefined for data that aren't an object */
function weaken(data: unknown): WeakRef<object> | undefined {
  return typeof data === "object" && data !== null ? new WeakRef(data) : undefined;
}
