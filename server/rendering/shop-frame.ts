import type { Request } from "express";
import type { ShopPageProps } from "../../client/pages/ShopPage.tsx";
import { chosenPlatforms, type Platform } from "../../client/rules/platform.ts";
import { brandImages } from "../brand/brand.ts";
import type { Site } from "../sites/countries.ts";
import type { Fragment } from "./fragment.ts";
import type { FragmentRenderer } from "./fragment-renderer.ts";
import type { RenderingContext } from "./rendering-context.ts";
import { createShopHeader } from "./shop-header.ts";
import type { Session } from "./visitor.ts";

interface ShopFrame {
  /** The cache key of everything around the content except the footer; undefined for personal pages. */
  key: string | undefined;
  /** The cache key of the footer; undefined for personal footers and temporary errors. */
  footerKey(): Promise<string | undefined>;
  props(): ShopPageProps;
}

interface PageParts {
  /** Stylesheets in addition to those of every page. */
  styles?: string[];
  /** Whether the footer has the newsletter block; false on pages about the newsletter. */
  newsletter?: boolean;
}

/**
 * Creates what stands around the content of the shop's pages: head, header and footer.
 * @param renderer - renders the footer
 */
export function createShopFrames(context: RenderingContext, footer: Fragment, renderer: FragmentRenderer) {
  const { assets, brand, previewOf, sessionOf, texts } = context;
  const header = createShopHeader(context);
  /** Cached footers as strings. Decoding one for each page would take most of the memory under load. */
  const footerHtml = new WeakMap<Buffer, string>();
  return { shopFrame, shopProps, translator };

  /** Builds the props of everything around the content, for every page of the shop. */
  async function shopProps(request: Request, site: Site, parts?: PageParts): Promise<ShopPageProps> {
    return (await shopFrame(request, site, parts)).props();
  }

  /** Prepares everything around the content of a page of the shop. */
  async function shopFrame(request: Request, site: Site, parts: PageParts = {}): Promise<ShopFrame> {
    const { newsletter = true } = parts;
    const session = await sessionOf(request);
    const layout = chosenPlatforms.get(request.cookies.platform);
    const parameters = { newsletter, platform: layout ?? "CLASSIC", assets: "none" };
    const render = async () => renderer.render(await footer.prepare(parameters, site, request, previewOf));
    let rendered: ReturnType<typeof render> | undefined;
    let html: Promise<string> | undefined;
    // Rendered with the content, after the head was sent.
    const footerBody = () => (rendered ??= render());
    const footerHtml = () => (html ??= footerBody().then(({ body }) => decodeFooter(body)));
    return {
      key: session ? undefined : JSON.stringify([site.site, layout, parts]),
      footerKey: async () => (await footerBody()).etag,
      props: () => ({ ...headAndHeader(site, session, layout, parts), footerHtml }),
    };
  }

  function headAndHeader(
    site: Site,
    session: Session | undefined,
    layout: Platform | undefined,
    { styles = [] }: PageParts,
  ): Omit<ShopPageProps, "footerHtml"> {
    const text = translator(site);
    return {
      locale: site.locale,
      title: text("title"),
      description: text("description"),
      platform: layout,
      ...(brand.hasFavicon && { favicon: assets.url(brandImages.favicon) }),
      // Other sites need the whole address.
      ...(brand.socialImage && { socialImage: assets.url(brand.socialImage, site.origin) }),
      ...assets.filesOf({ ...footer.assets, styles: [...footer.assets.styles, ...styles, "page.css"] }),
      texts: { brand: brand.name, skipToContent: text("skipToContent"), skipToFooter: text("skipToFooter") },
      header: { ...header(site, session), assets: { styles: [], scripts: [] } },
    };
  }

  function decodeFooter(body: Buffer): string {
    const html = footerHtml.get(body) ?? String(body);
    footerHtml.set(body, html);
    return html;
  }

  function translator(site: Site) {
    return texts.translator(site.locale, "page", site.facts);
  }
}
