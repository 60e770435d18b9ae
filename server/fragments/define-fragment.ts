import type { ReactElement } from "react";
import type { Moment } from "../../client/rules/time.ts";
import type { AssetNames } from "../assets.ts";
import type { RequestedPreview } from "../services/preview-of.ts";
import type { Site } from "../sites/countries.ts";
import { createStringsValidator } from "../validate.ts";
import type { AskedFragment, Fragment, FragmentContent } from "./fragment.ts";

/** What a fragment shows of the world outside, such as a promotion: plain data. */
export interface OutsideData<Data> {
  /** As it is now, without waiting for it. */
  now(site: Site): Data;
  /** As staff preview it: at another time, for a group of an A/B test. Only a fragment that has it heeds that. */
  previewed?(site: Site, preview: RequestedPreview): Promise<Data>;
  /** As fallbacks show it, in the order of time. */
  ofFallbacks(site: Site): { from: Moment; data: Data }[];
}

/** For a fragment that shows nothing of the world outside. */
export const nothingOutside: OutsideData<undefined> = {
  now: () => undefined,
  ofFallbacks: () => [{ from: -Infinity, data: undefined }],
};

/** What a fragment is made of. Its bytes are a function of site, parameters, data and build: nothing else comes in. */
interface FragmentDefinition<Parameters extends object, Props extends object, Data> {
  /** Its parameters are those of the schema `<name>-parameters`. */
  name: string;
  assets: AssetNames;
  /** What the visitor's cookies change; the same object when they change nothing. */
  personalize?(parameters: Parameters, cookies: Record<string, unknown>): Parameters;
  outside: OutsideData<Data>;
  /** Everything the element shows. Must be plain data: the ETag is made of it. */
  props(site: Site, parameters: Parameters, data: Data): Props;
  render(props: Props): ReactElement;
  fallbackParameters: Parameters;
}

/** Makes a fragment, which keeps to itself what its parameters, props and data are. */
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
        const data = preview ? await previewed(site, preview) : outside.now(site);
        const isPreview = preview !== undefined;
        return {
          fragment,
          site,
          key: JSON.stringify([name, site.site, parameters, data]),
          isPersonal: isPreview || parameters !== asked,
          isPreview,
          build: () => build(site, parameters, data),
        };
      },
    };
  }

  function build(site: Site, parameters: Parameters, data: Data): FragmentContent {
    const props = definition.props(site, parameters, data);
    return { props, element: () => definition.render(props) };
  }
}
