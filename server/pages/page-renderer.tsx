import { PassThrough } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Request, Response } from "express";
import { LRUCache } from "lru-cache";
import type { ReactElement } from "react";
import { MessagePage } from "../../client/page/MessagePage.tsx";
import type { ShopPageProps } from "../../client/page/ShopPage.tsx";
import { chosenPlatforms, type Platform } from "../../client/rules/platform.ts";
import { type Milliseconds, minute, second } from "../../client/rules/time.ts";
import type { FooterParameters } from "../../schemas/types.ts";
import type { Assets } from "../assets.ts";
import type { Brand } from "../brand/brand.ts";
import { askFragment, type Fragment } from "../fragments/fragment.ts";
import type { FragmentRenderer, RenderedFragment } from "../fragments/fragment-renderer.ts";
import { whileConnected } from "../http/while-connected.ts";
import type { Texts, Translate } from "../i18n.ts";
import { collectStream } from "../render/collect-stream.ts";
import { renderStream } from "../render/render-stream.ts";
import type { PreviewOf } from "../services/preview-of.ts";
import type { Session, SessionOf } from "../services/session-of.ts";
import type { Site } from "../sites/countries.ts";
import type { SiteResolver } from "../sites/resolve-site.ts";
import { accountLinks, navigationLinks } from "./header-links.ts";

type Message = "notFound" | "refused" | "error";

export interface PageRenderer {
  /** Streams a page. */
  send(response: Response, page: ReactElement): Promise<void>;
  /**
   * Sends a page that is equal for all who ask for its key. It is made at the first call, and then kept for a minute
   * (test/server/gallery/widgets-route.test.ts). It has no nonce, as it has nothing that needs one.
   */
  sendKept(response: Response, key: string, make: () => Promise<KeptPage> | KeptPage): Promise<void>;
  /** Streams a page that says what went wrong, in the site's language and with the status that the response has. */
  sendMessage(request: Request, response: Response, message: Message): Promise<void>;
  /** Finds what every page of the shop shows around its content. */
  shopFrame(request: Request, site: Site, parts?: PageParts): Promise<ShopFrame>;
  /** Builds what every page of the shop shows around its content. */
  shopProps(request: Request, site: Site, parts?: PageParts): Promise<ShopPageProps>;
  /** Gives the texts of a site's pages. */
  translator(site: Site): Translate<"page">;
}

interface ShopFrame {
  /** Equal for all who get the same; undefined where it is one visitor's, or a failure's that may pass. */
  key: string | undefined;
  props(): ShopPageProps;
}

interface KeptPage {
  page: ReactElement;
  /** Whether the page is made anew the next time, as it tells of a failure that may pass. */
  isPassing?: boolean;
}

interface PageParts {
  /** Names of the stylesheets that the page needs beside those of every page. */
  styles?: string[];
  /** Whether the footer has the newsletter's block; false for pages that are about the newsletter. */
  newsletter?: boolean;
}

interface PageRendererDeps {
  assets: Assets;
  brand: Brand;
  footer: Fragment;
  previewOf: PreviewOf;
  renderer: FragmentRenderer;
  sessionOf: SessionOf;
  siteOf: SiteResolver;
  texts: Texts;
}

/** Longest time until the last byte of a page. */
const deadline: Milliseconds = 5 * second;

/** Creates the renderer of whole pages. */
export function createPageRenderer(deps: PageRendererDeps): PageRenderer {
  const { assets, brand, footer, previewOf, renderer, sessionOf, siteOf, texts } = deps;
  const kept = new LRUCache<string, Buffer, Parameters<PageRenderer["sendKept"]>[2]>({
    max: 100,
    ttl: minute,
    async fetchMethod(_key, _stale, { context: make, options }) {
      const { page, isPassing } = await make();
      if (isPassing) options.ttl = 1;
      return collectStream(await renderStream(page, { deadline, startAt: "all" }));
    },
  });
  /** The footers that the cache has, as pages take them: to decode one for each page takes most of the memory of a load. */
  const footerHtml = new WeakMap<Buffer, string>();
  return { send, sendKept, sendMessage, shopFrame, shopProps, translator };

  async function send(response: Response, page: ReactElement) {
    const { nonce } = response.locals;
    const stream = await renderStream(page, { deadline, signal: whileConnected(response), startAt: "shell", nonce });
    response.type("html");
    await pipeline(stream.pipe(new PassThrough()), response);
  }

  async function sendKept(...[response, key, make]: Parameters<PageRenderer["sendKept"]>) {
    response.type("html").send(await kept.forceFetch(key, { context: make }));
  }

  async function sendMessage(request: Request, response: Response, message: Message) {
    const site = siteOf.host(request);
    const text = translator(site);
    const props = await shopProps(request, site);
    const heading = text(`${message}.heading`);
    const page = (
      <MessagePage
        {...props}
        title={heading}
        robots="noindex"
        heading={heading}
        text={text(`${message}.text`)}
        link={{ url: "/", text: text("home") }}
      />
    );
    await send(response, page);
  }

  async function shopProps(...asked: Parameters<PageRenderer["shopFrame"]>): Promise<ShopPageProps> {
    return (await shopFrame(...asked)).props();
  }

  async function shopFrame(request: Request, site: Site, parts: PageParts = {}): Promise<ShopFrame> {
    const { newsletter = true } = parts;
    const session = await sessionOf(request);
    const layout = chosenPlatforms.get(request.cookies.platform);
    const { body, etag } = await composeFooter(request, site, { newsletter, platform: layout ?? "CLASSIC" });
    return {
      key: session || !etag ? undefined : JSON.stringify([site.site, layout, parts, etag]),
      props: () => ({ ...headAndHeader(site, session, layout, parts), footerHtml: decodeFooter(body) }),
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
      ...assets.urls({ ...footer.assets, styles: [...footer.assets.styles, ...styles, "page.css"] }),
      sprite: assets.path("icons.svg"),
      ...(brand.logo && { logo: brand.logo }),
      texts: {
        brand: brand.name,
        home: text("home"),
        skipToContent: text("skipToContent"),
        skipToFooter: text("skipToFooter"),
        navLabel: text("nav.label"),
        accountLabel: text("account.label"),
      },
      navigation: navigationLinks(text),
      account: accountLinks(text, session && greet(session, site)),
      ...(session && { logout: text("account.logout") }),
    };
  }

  /** Says who is signed in, as far as that is known. */
  function greet({ customer }: Session, site: Site): string {
    if (!customer) return translator(site)("account.own");
    const name = customer.firstName ?? customer.email;
    return texts.translator(site.locale, "page", { name })("account.signedIn");
  }

  async function composeFooter(
    request: Request,
    site: Site,
    parameters: Pick<FooterParameters, "newsletter" | "platform">,
  ): Promise<RenderedFragment> {
    const asked = askFragment(footer, { ...parameters, assets: "none" });
    return renderer.render(await asked.prepare(site, request, previewOf));
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
