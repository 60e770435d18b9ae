import { Footer } from "../../client/footer/Footer.tsx";
import type { FooterProps } from "../../client/footer/footer-props.ts";
import { wantsReduced } from "../../client/rules/wants-reduced.ts";
import type { FooterParameters } from "../../schemas/types.ts";
import { defineFragment } from "../fragments/define-fragment.ts";
import type { Fragment } from "../fragments/fragment.ts";
import { createStaticMarkup, type StaticMarkup } from "../render/static-markup.ts";
import { nextVersionStart, versionAt } from "../sites/footer-versions.ts";
import { buildFooterProps, type FooterData, type FooterSources } from "./footer-props.ts";
import type { Promotions } from "./promotions.ts";

export interface FooterFragmentSources extends FooterSources {
  promotions: Pick<Promotions, "current" | "nextChange" | "previewed">;
}

interface FooterFragmentData extends FooterData {
  /** Whether the data are what staff preview, not those of now. */
  isPreview?: boolean;
}

const assets = { styles: ["footer.css"], scripts: ["boot.js"] };

/**
 * Creates the footer fragment.
 * @param keep - the store of the parts that don't change from visitor to visitor
 */
export function createFooterFragment(
  { promotions, ...sources }: FooterFragmentSources,
  keep: StaticMarkup = createStaticMarkup(),
): Fragment {
  return defineFragment<FooterParameters, FooterProps, FooterFragmentData>({
    name: "footer",
    assets,
    personalize: (parameters, cookies) =>
      wantsReduced(cookies) && !parameters.reduced ? { ...parameters, reduced: true } : parameters,
    outside: {
      now(site) {
        const at = Date.now();
        return {
          data: { version: versionAt(site.footerStarts, at), promotion: promotions.current(site, at) },
          until: Math.min(nextVersionStart(site.footerStarts, at), promotions.nextChange(site, at)),
        };
      },
      previewed: async (site, preview) => ({
        version: versionAt(site.footerStarts, preview.at),
        promotion: await promotions.previewed(site, preview),
        isPreview: true,
      }),
      ofFallbacks: (site) => site.footerStarts.map((from, version) => ({ from, data: { version } })),
    },
    props: (site, parameters, { isPreview, ...data }) => ({
      ...buildFooterProps(sources, site, parameters, assets, data),
      ...(isPreview && { isPreviewed: isPreview }),
    }),
    render: (props) => <Footer {...props} keep={(part, element) => keep(`${part} ${partKey(props)}`, element)} />,
    fallbackParameters: { reduced: true, platform: "CLASSIC", newsletter: false, preview: false, assets: "inline" },
  });
}

/** Names what decides the bytes of a part: it may depend on nothing else. */
function partKey({ site, reduced, version }: FooterProps): string {
  return `${site} ${reduced} ${version}`;
}
