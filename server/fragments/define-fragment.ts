import { isDeepStrictEqual } from "node:util";
import type { Request } from "express";
import type { ReactElement } from "react";
import type { Moment } from "../../client/rules/time.ts";
import type { AssetNames } from "../assets.ts";
import { mayPreview, type RequestedPreview } from "../services/preview-of.ts";
import type { Site } from "../sites/countries.ts";
import { createStringsValidator } from "../validate.ts";
import type { AskedFragment, Fragment, FragmentContent } from "./fragment.ts";

/** Where a fragment gets the plain data that it shows of the world outside, such as a promotion. */
export interface OutsideData<Data> {
  /** Gives the data of now, without waiting for them, and when they change as far as that is known, else Infinity. */
  now(site: Site): { data: Data; until: Moment };
  /** Fetches the data that staff preview. Without this function, the fragment shows staff what everybody sees. */
  previewed?(site: Site, preview: RequestedPreview): Promise<Data>;
  /** Lists the data of the fallbacks, in the order of time. */
  ofFallbacks(site: Site): { from: Moment; data: Data }[];
}

/** Stands for the data of a fragment that shows nothing of the world outside. */
export const nothingOutside: OutsideData<undefined> = {
  now: () => ({ data: undefined, until: Infinity }),
  ofFallbacks: () => [{ from: -Infinity, data: undefined }],
};

/** What a fragment is made of. Site, parameters, data and build alone decide its bytes. */
interface FragmentDefinition<Parameters extends object, Props extends object, Data> {
  /** Name in the fragment's path, and of the schema of its parameters: `<name>-parameters`. */
  name: string;
  assets: AssetNames;
  /** Tells whether a parameter is a text that anybody may choose. Without this function, none is. */
  hasText?(parameters: Parameters): boolean;
  /** Changes parameters by the visitor's cookies; returns the same object when they change nothing. */
  personalize?(parameters: Parameters, cookies: Record<string, unknown>): Parameters;
  outside: OutsideData<Data>;
  /** Builds everything the element shows. It must be plain data, as the ETag is made of it. */
  props(site: Site, parameters: Parameters, data: Data): Props;
  render(props: Props): ReactElement;
  fallbackParameters: Parameters;
}

/** Makes a fragment of its definition. The types of parameters, props and data stay inside. */
export function defineFragment<Parameters extends object, Props extends object, Data = undefined>(
  definition: FragmentDefinition<Parameters, Props, Data>,
): Fragment {
  const { name, assets, personalize, outside, fallbackParameters } = definition;
  const { previewed } = outside;
  const validate = createStringsValidator<Parameters>(`${name}-parameters`);
  const fragment: Fragment = {
    name,
    assets,
    read(query) {
      const result = validate(query);
      return result.valid ? { valid: true, data: ask(result.data) } : result;
    },
    fallbacks: (site) =>
      outside.ofFallbacks(site).map(({ from, data }) => ({ from, build: () => build(site, fallbackParameters, data) })),
  };
  return fragment;

  function ask(asked: Parameters): AskedFragment {
    return {
      parameters: asked,
      async prepare(site, request, previewOf) {
        const parameters = personalize?.(asked, request.cookies) ?? asked;
        const preview = previewed && (await previewOf(request));
        const { data, until } = preview ? { data: await previewed(site, preview), until: Infinity } : outside.now(site);
        const isPreview = preview !== undefined;
        const isPersonal = isPreview || parameters !== asked;
        return {
          fragment,
          site,
          key: JSON.stringify([name, site.site, parameters, data]),
          hasText: definition.hasText?.(parameters) ?? false,
          isPersonal,
          isPreview,
          until,
          holdsUntil(later) {
            if (isPersonal || !isForEverybody(later)) return undefined;
            const now = outside.now(site);
            return isDeepStrictEqual(now.data, data) ? now.until : undefined;
          },
          build: () => build(site, parameters, data),
        };
      },
    };

    /** Tells whether no cookie of a request changes anything. */
    function isForEverybody(request: Pick<Request, "cookies">): boolean {
      if (previewed && mayPreview(request)) return false;
      return (personalize?.(asked, request.cookies) ?? asked) === asked;
    }
  }

  function build(site: Site, parameters: Parameters, data: Data): FragmentContent {
    const props = definition.props(site, parameters, data);
    return { props, element: () => definition.render(props) };
  }
}
