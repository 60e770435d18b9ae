import { Assets as AssetTags } from "../../client/assets/Assets.tsx";
import type { HeadParameters } from "../../schemas/types.ts";
import type { AssetNames, Assets } from "../assets.ts";
import { createStringsValidator } from "../validate.ts";
import type { Fragment } from "./fragment.ts";

/** The tags that the fragments need, for host pages that load everything in their own head. */
export function createHeadFragment(
  assets: Assets,
  fragments: { assets: AssetNames }[],
): Fragment<HeadParameters, AssetNames> {
  const files: AssetNames = {
    styles: [...new Set(fragments.flatMap((fragment) => fragment.assets.styles))],
    scripts: [...new Set(fragments.flatMap((fragment) => fragment.assets.scripts))],
  };
  return {
    name: "head",
    assets: files,
    readParameters: createStringsValidator<HeadParameters>("head-parameters"),
    personalize: (parameters) => parameters,
    props: () => assets.urls(files),
    render: (props) => <AssetTags {...props} />,
    fallbackParameters: {},
  };
}
