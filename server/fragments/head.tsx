import { Assets as AssetTags } from "../../client/assets/Assets.tsx";
import type { HeadParameters } from "../../schemas/types.ts";
import type { Assets } from "../assets.ts";
import { createStringsValidator } from "../validate.ts";
import type { Fragment, FragmentAssets } from "./fragment.ts";

/** The tags that the fragments need, for host pages that load everything in their own head. */
export function createHeadFragment(
  assets: Assets,
  fragments: { assets: FragmentAssets }[],
): Fragment<HeadParameters, FragmentAssets> {
  const files: FragmentAssets = {
    styles: [...new Set(fragments.flatMap((fragment) => fragment.assets.styles))],
    scripts: [...new Set(fragments.flatMap((fragment) => fragment.assets.scripts))],
  };
  return {
    name: "head",
    assets: files,
    readParameters: createStringsValidator<HeadParameters>("head-parameters"),
    personalize: (parameters) => parameters,
    props: () => ({
      styles: files.styles.map((name) => assets.url(name)),
      scripts: files.scripts.map((name) => assets.url(name)),
    }),
    render: (props) => <AssetTags {...props} />,
    fallbackParameters: {},
  };
}
