import { Footer } from "../../client/footer/Footer.tsx";
import { FooterBody } from "../../client/footer/FooterBody.tsx";
import type { FooterProps } from "../../client/footer/footer-props.ts";
import { wantsReduced } from "../../client/footer/reduced-mode.ts";
import type { FooterParameters } from "../../schemas/types.ts";
import type { Fragment } from "../fragments/fragment.ts";
import { createStaticMarkup, type StaticMarkup } from "../render/static-markup.ts";
import { versionAt } from "../sites/footer-versions.ts";
import { createStringsValidator } from "../validate.ts";
import { buildFooterProps, type FooterData, type FooterSources } from "./footer-props.ts";
import type { Promotions } from "./promotions.ts";

interface FooterFragmentSources extends FooterSources {
  promotions: Pick<Promotions, "current" | "previewed">;
}

export interface FooterFragmentData extends FooterData {
  /** It isn't that of now. */
  isPreview?: boolean;
}

const assets = { styles: ["footer.css"], scripts: ["boot.js"] };

/**
 * The footer fragment.
 * @param keep - where the parts live that are the same for every visitor of a site
 */
export function createFooterFragment(
  { promotions, ...sources }: FooterFragmentSources,
  keep: StaticMarkup = createStaticMarkup(),
): Fragment<FooterParameters, FooterProps, FooterFragmentData> {
  return {
    name: "footer",
    assets,
    readParameters: createStringsValidator<FooterParameters>("footer-parameters"),
    personalize: (parameters, cookies) =>
      wantsReduced(cookies) && !parameters.reduced ? { ...parameters, reduced: true } : parameters,
    data: (site) => ({
      version: versionAt(site.footerStarts, Date.now()),
      promotion: promotions.current(site),
    }),
    previewData: async (site, preview) => ({
      version: versionAt(site.footerStarts, preview.at.getTime()),
      promotion: await promotions.previewed(site, preview),
      isPreview: true,
    }),
    props: (site, parameters, { isPreview, ...data } = { version: 0 }) => ({
      ...buildFooterProps(sources, site, parameters, assets, data),
      ...(isPreview && { isPreview }),
    }),
    render: (props) => <Footer {...props} bodyHtml={keep(bodyKey(props), () => <FooterBody {...props} />)} />,
    fallbackVersions: (site) => site.footerStarts.map((from, version) => ({ from, data: { version } })),
    fallbackParameters: { reduced: true, platform: "CLASSIC", newsletter: false, preview: false, assets: "inline" },
  };
}

function bodyKey({ site, reduced, version }: FooterProps): string {
  return `${site} ${reduced} ${version}`;
}
