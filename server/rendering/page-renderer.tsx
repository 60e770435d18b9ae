import { setImmediate as nextTurn } from "node:timers/promises";
import type { Request, Response } from "express";
import { LRUCache } from "lru-cache";
import type { ReactElement } from "react";
import { MessagePage, type ShopPageProps } from "../../client/pages/ShopPage.tsx";
import { chosenPlatforms, type Platform } from "../../client/rules/platform.ts";
import { type Milliseconds, minute, second } from "../../client/rules/time.ts";
import { nonceOf } from "../http/security-headers.ts";
import { whileConnected } from "../http/while-connected.ts";
import { isReported } from "../platform/errors.ts";
import type { Translate } from "../platform/texts.ts";
import type { Site } from "../sites/countries.ts";
import type { Fragment } from "./fragment.ts";
import type { FragmentRenderer } from "./fragment-renderer.ts";
import { createFragmentService } from "./fragment-service.ts";
import { collectStream, pageEnd, renderPageContent, renderPageHead, sendStream } from "./render-element.ts";
import type { RenderingContext } from "./rendering-context.ts";
import type { Session } from "./visitor.ts";

type Message = "notFound" | "refused" | "error";

export type PageRenderer = ReturnType<typeof createPageRenderer>;

interface ShopFrame {
  /** Cache key of what stands around the content, but for the footer; undefined for personal pages. */
  key: string | undefined;
  /** Cache key of the footer; undefined for personal footers and temporary errors. */
  footerKey(): Promise<string | undefined>;
  props(): ShopPageProps;
}

interface PageParts {
  /** Stylesheets beside those of every page. */
  styles?: string[];
  /** Whether the footer has the newsletter block; false on pages about the newsletter. */
  newsletter?: boolean;
}

/** Longest time until the last byte of a page. */
const deadline: Milliseconds = 5 * second;

/**
 * Creates what renders: the fragments of all features, and pages with the footer around their content.
 * @returns the fragments with their cache and routes, and the renderer of pages
 */
export function createRendering(
  context: RenderingContext,
  features: readonly { fragments?: readonly Fragment[] }[],
  footer: Fragment,
) {
  const fragments = createFragmentService(context, features);
  return { fragments, pages: createPageRenderer(context, footer, fragments.renderer) };
}

function createPageRenderer(context: RenderingContext, footer: Fragment, renderer: FragmentRenderer) {
  const { assets, brand, env, logger, previewOf, sessionOf, siteOf, texts } = context;
  /** Heads and contents of pages. */
  const cache = new LRUCache<string, string | Buffer, () => Promise<string | Buffer>>({
    max: 200,
    ttl: minute,
    fetchMethod: (_key, _stale, { context: render }) => render(),
  });
  /** Cached footers as strings: decoding one for each page would take most of the memory under load. */
  const footerHtml = new WeakMap<Buffer, string>();
  return { send, sendCached, sendMessage, shopFrame, shopProps, translator };

  /** Streams a page. */
  async function send(response: Response, page: ReactElement) {
    await stream(response, renderPageHead(page), () => sendContent(response, page));
  }

  /**
   * Streams a page that is equal for everyone with the same keys, cached for a minute. It has no nonce.
   * @param contentKey - resolves to undefined if the content can't be cached
   */
  async function sendCached(
    response: Response,
    headKey: string,
    build: () => ReactElement,
    contentKey: () => Promise<string | undefined>,
  ) {
    if (!env.renderCache) return send(response, build());
    const head = await cache.forceFetch(`head ${headKey}`, { context: async () => renderPageHead(build()) });
    await stream(response, head, async () => {
      const key = await contentKey();
      if (key === undefined) return sendContent(response, build());
      const render = async () => collectStream(await renderPageContent(build(), { deadline, startAt: "all" }));
      response.write(await cache.forceFetch(key, { context: render }));
      response.end(pageEnd);
    });
  }

  /**
   * Streams the head of a page in a packet of its own, so that browsers load the stylesheets while the content is
   * rendered. Node sends what was written only after the promises that are ready, which React's work is one of: without
   * a turn of the event loop, the head would leave with the content.
   */
  async function stream(response: Response, head: string | Buffer, sendRest: () => Promise<void>) {
    response.type("html").write(head);
    if (response.req.method === "HEAD") return void response.end();
    await nextTurn();
    try {
      await sendRest();
    } catch (error) {
      await sendFailure(response, error);
    }
  }

  async function sendContent(response: Response, page: ReactElement) {
    const options = { deadline, signal: whileConnected(response), nonce: nonceOf(response) };
    const content = await renderPageContent(page, { ...options, startAt: "shell" });
    await sendStream(content, response, pageEnd);
  }

  /** Shows a message where the content of a page fails: its head and status have left. */
  async function sendFailure(response: Response, error: unknown) {
    if (response.destroyed) throw error;
    if (!isReported(error)) logger.error({ err: error }, "page rendering failed");
    await sendContent(response, await messagePage(response.req, "error"));
  }

  /** Streams a page with a message, in the site's language and with the status that the response has. */
  async function sendMessage(request: Request, response: Response, message: Message) {
    await send(response, await messagePage(request, message));
  }

  async function messagePage(request: Request, message: Message) {
    const site = siteOf.host(request);
    const text = translator(site);
    return (
      <MessagePage
        {...(await shopProps(request, site))}
        title={text(`${message}.heading`)}
        robots="noindex"
        text={text(`${message}.text`)}
        link={{ url: "/", text: text("home") }}
      />
    );
  }

  /** Builds what every page of the shop shows around its content. */
  async function shopProps(request: Request, site: Site, parts?: PageParts): Promise<ShopPageProps> {
    return (await shopFrame(request, site, parts)).props();
  }

  /** Prepares what every page of the shop shows around its content. */
  async function shopFrame(request: Request, site: Site, parts: PageParts = {}): Promise<ShopFrame> {
    const { newsletter = true } = parts;
    const session = await sessionOf(request);
    const layout = chosenPlatforms.get(request.cookies.platform);
    const parameters = { newsletter, platform: layout ?? "CLASSIC", assets: "none" };
    const render = async () => renderer.render(await footer.prepare(parameters, site, request, previewOf));
    let rendered: ReturnType<typeof render> | undefined;
    let html: Promise<string> | undefined;
    // With the content, after the head has left.
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
      ...assets.filesOf({ ...footer.assets, styles: [...footer.assets.styles, ...styles, "page.css"] }),
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

  function decodeFooter(body: Buffer): string {
    const html = footerHtml.get(body) ?? String(body);
    footerHtml.set(body, html);
    return html;
  }

  function translator(site: Site) {
    return texts.translator(site.locale, "page", site.facts);
  }
}

/** Lists the links to the shop's categories. */
export function navigationLinks(text: Translate<"page">): ShopPageProps["navigation"] {
  return [
    { url: "/category/coffee", text: text("nav.coffee") },
    { url: "/category/fashion", text: text("nav.fashion") },
    { url: "/category/living", text: text("nav.living") },
    { url: "/category/mobile", text: text("nav.mobile") },
    { url: "/category/discounts", text: text("nav.sale") },
  ];
}

/**
 * Lists the links to what is a visitor's own.
 * @param signedIn - what the link to the account says; undefined while nobody is signed in
 */
export function accountLinks(text: Translate<"page">, signedIn?: string): ShopPageProps["account"] {
  return [
    signedIn === undefined
      ? { url: "/login", text: text("account.login"), icon: "user" }
      : { url: "/account", text: signedIn, icon: "user" },
    { url: "/wishlist", text: text("account.wishlist"), icon: "heart" },
    { url: "/bag", text: text("account.bag"), icon: "bag" },
  ];
}
