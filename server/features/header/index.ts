import { createElement } from "react";
import { Header, type HeaderProps } from "../../../client/features/header/Header.tsx";
import type { HeaderParameters } from "../../../schemas/types.ts";
import { defineFragment, staticData } from "../../rendering/fragment.ts";
import { createShopHeader } from "../../rendering/shop-header.ts";
import type { AppContext, Feature } from "../feature.ts";

const files = { styles: ["header.css"], scripts: [] };

/** The header of every page, as a fragment: that of visitors who aren't signed in. */
export function createHeader(context: AppContext): Feature {
  const { assets } = context;
  const header = createShopHeader(context);
  return {
    fragments: [
      defineFragment<HeaderParameters, HeaderProps>({
        name: "header",
        assets: files,
        data: staticData,
        props: (site, parameters) => ({
          ...header(site),
          assets: parameters.assets === "inline" ? assets.filesOf(files) : { styles: [], scripts: [] },
        }),
        render: (props) => createElement(Header, props),
        fallbackParameters: { assets: "inline" },
      }),
    ],
  };
}
