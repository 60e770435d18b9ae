import { AssetTags } from "../../client/assets/AssetTags.tsx";
import type { HeadParameters } from "../../schemas/types.ts";
import type { AssetNames, Assets } from "../assets.ts";
import { defineFragment, nothingOutside } from "./define-fragment.ts";
import type { Fragment } from "./fragment.ts";

/** Creates the fragment of the tags that all given fragments need, for host pages that load files in their own head. */
export function createHeadFragment(assets: Assets, fragments: readonly Fragment[]): Fragment {
  const files: AssetNames = {
    styles: [...new Set(fragments.flatMap((fragment) => fragment.assets.styles))],
    scripts: [...new Set(fragments.flatMap((fragment) => fragment.assets.scripts))],
  };
  return defineFragment<HeadParameters, AssetNames>({
    name: "head",
    assets: files,
    outside: nothingOutside,
    props: () => assets.urls(files),
    render: (props) => <AssetTags {...props} />,
    fallbackParameters: {},
  });
}
