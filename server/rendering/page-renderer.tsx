import { setImmediate as nextTurn } from "node:timers/promises";
import type { Request, Response } from "express";
import { LRUCache } from "lru-cache";
import type { ReactElement } from "react";
import { MessagePage } from "../../client/pages/ShopPage.tsx";
import { type Milliseconds, minute, second } from "../../client/rules/time.ts";
import { nonceOf } from "../http/security-headers.ts";
import { whileConnected } from "../http/while-connected.ts";
import { isReported } from "../platform/errors.ts";
import type { Fragment } from "./fragment.ts";
import type { FragmentRenderer } from "./fragment-renderer.ts";
import { collectStream, pageEnd, renderPageContent, renderPageHead, sendStream } from "./render-element.ts";
import type { RenderingContext } from "./rendering-context.ts";
import { createShopFrames } from "./shop-frame.ts";

type Message = "notFound" | "refused" | "error";

export type PageRenderer = ReturnType<typeof createPageRenderer>;

/** The maximum time until the last byte of a page. */
const deadline: Milliseconds = 5 * second;

/**
 * Creates the renderer of pages, whose footer is the fragment of that name.
 * @param renderer - renders the footer
 */
export function createPageRenderer(context: RenderingContext, footer: Fragment, renderer: FragmentRenderer) {
  const { env, logger, siteOf } = context;
  const { shopFrame, shopProps, translator } = createShopFrames(context, footer, renderer);
  /** The heads and contents of pages. */
  const cache = new LRUCache<string, string | Buffer, () => Promise<string | Buffer>>({
    max: 200,
    ttl: minute,
    fetchMethod: (_key, _stale, { context: render }) => render(),
  });
  return { send, sendCached, sendMessage, shopFrame, shopProps, translator };

  /** Streams a page. */
  async function send(response: Response, page: ReactElement) {
    await stream(response, renderPageHead(page), () => sendContent(response, page));
  }

  /**
   * Streams a page that is equal for everyone with the same keys. It is cached for a minute, and has no nonce.
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
   * rendered. Node sends written data only after the pending promises, which include React's work. So this waits for a
   * turn of the event loop; without it, the head would be sent with the content.
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

  /** Shows a message in place of a page's content that has failed. Its head and status have already been sent. */
  async function sendFailure(response: Response, error: unknown) {
    if (response.destroyed) throw error;
    if (!isReported(error)) logger.error({ err: error }, "page rendering failed");
    await sendContent(response, await messagePage(response.req, "error"));
  }

  /** Streams a page with a message, in the site's language and with the response's status. */
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
}
