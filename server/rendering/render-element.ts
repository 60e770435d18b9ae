import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { finished } from "node:stream/promises";
import { type ComponentType, createElement, type ReactElement } from "react";
import { type PipeableStream, renderToPipeableStream, renderToStaticMarkup, renderToString } from "react-dom/server";
import type { IslandName } from "../../client/island-components.ts";
import type { IslandMarkup } from "../../client/islands/Island.tsx";
import { PagePart } from "../../client/pages/Page.tsx";
import { type Milliseconds, second } from "../../client/rules/time.ts";
import { UnavailableError } from "../platform/errors.ts";

interface RenderOptions {
  /** The maximum duration of the render. */
  deadline: Milliseconds;
  /** Aborts the render with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** When the stream starts: "all" waits for everything, "shell" only for everything outside Suspense. */
  startAt: "all" | "shell";
  /** Nonce of the scripts that React itself adds to a page. */
  nonce?: string;
}

/**
 * Renders an element to a stream of HTML, which the caller pipes.
 * @returns the stream, once `startAt` is reached; with "all", nothing can fail after the first byte
 * @throws UnavailableError after the deadline, the reason of `signal`, or what a component has thrown
 */
export function renderStream(element: ReactElement, options: RenderOptions): Promise<PipeableStream> {
  const { deadline, signal, startAt, nonce } = options;
  if (signal?.aborted) return Promise.reject(signal.reason);
  const { promise, resolve, reject } = Promise.withResolvers<PipeableStream>();
  const render = renderToPipeableStream(element, {
    ...(nonce && { nonce }),
    onShellReady: () => startAt === "shell" && resolve(render),
    onAllReady: () => {
      clearTimeout(timer);
      if (startAt === "all") resolve(render);
    },
    onError: reject,
  });
  const abort = (reason: Error) => {
    clearTimeout(timer);
    // Rejects first, because React reports an aborted render as ready, too.
    reject(reason);
    render.abort(reason);
  };
  const timer = setTimeout(() => abort(new UnavailableError(`not rendered within ${deadline} ms`)), deadline);
  signal?.addEventListener("abort", () => abort(signal.reason), { once: true });
  return promise;
}

const fragmentDeadline: Milliseconds = 0.8 * second;

/**
 * Renders the element of a fragment completely, because composers would include a part of it. A miss costs about three
 * times as much as a hit (docs/scaling.md), so parts that are the same for all visitors must come as markup, not as
 * elements.
 * @param render - replaces the React renderer, so that tests can make it fail
 * @throws what `renderStream` throws
 */
export function renderFragment(element: ReactElement, signal?: AbortSignal, render = renderStream): Promise<Buffer> {
  return render(element, { deadline: fragmentDeadline, signal, startAt: "all" }).then(collectStream);
}

/** The end of a page, after its content. */
export const pageEnd = "</body></html>";

/** Renders a page up to the start of its body, without its content. */
export function renderPageHead(page: ReactElement): string {
  const html = renderToStaticMarkup(createElement(PagePart, { value: "head" }, page));
  return `<!DOCTYPE html>${html.slice(0, -pageEnd.length)}`;
}

/**
 * Renders the content of a page, which follows its head, to a stream.
 * @throws what `renderStream` throws
 */
export function renderPageContent(page: ReactElement, options: RenderOptions): Promise<PipeableStream> {
  return renderStream(createElement(PagePart, { value: "content" }, page), options);
}

/**
 * Sends a rendered stream and what follows it, and ends the response.
 * @returns once everything is handed to the system
 * @throws what the render fails with, or that the client has disconnected
 */
export async function sendStream(stream: PipeableStream, response: ServerResponse, ending: string): Promise<void> {
  stream.pipe(new Forwarder(response, ending));
  await finished(response);
}

/**
 * Writes every chunk on to a response. This is no stream of Node's either: a `pipeline` keeps each page's objects until
 * they are old, 23 kB a page, which stays with the process as some 60 MB.
 */
class Forwarder extends EventEmitter implements NodeJS.WritableStream {
  readonly writable = true;
  readonly #response: ServerResponse;
  readonly #ending: string;

  constructor(response: ServerResponse, ending: string) {
    super();
    this.#response = response;
    this.#ending = ending;
    // React waits for the first when `write` has returned false, and ends its render at the second.
    for (const event of ["drain", "close"]) response.on(event, () => this.emit(event));
  }

  write(chunk: string | Uint8Array): boolean {
    return this.#response.write(chunk);
  }

  end(): this {
    this.#response.end(this.#ending);
    return this;
  }

  destroy(error: Error): void {
    this.#response.destroy(error);
  }
}

/**
 * Collects a stream into one buffer.
 * @throws what the render fails with
 */
export function collectStream(stream: PipeableStream): Promise<Buffer> {
  return stream.pipe(new Collector()).collected;
}

/**
 * Takes every chunk at once, as React writes it. It isn't a stream of Node's: the buffering, and the objects kept for
 * each chunk, would make a rendered footer cost two thirds more.
 */
class Collector extends EventEmitter implements NodeJS.WritableStream {
  readonly writable = true;
  readonly #chunks: (string | Uint8Array)[] = [];
  readonly #end = Promise.withResolvers<Buffer>();

  get collected(): Promise<Buffer> {
    return this.#end.promise;
  }

  write(chunk: string | Uint8Array): boolean {
    this.#chunks.push(chunk);
    return true;
  }

  end(): this {
    this.#end.resolve(joinChunks(this.#chunks));
    return this;
  }

  destroy(error: unknown): void {
    this.#end.reject(error);
  }
}

/**
 * Joins chunks in one copy, into memory of their own. A small buffer of Node's would keep the 64 kB that it shares with
 * others as long as the body is cached.
 */
function joinChunks(chunks: readonly (string | Uint8Array)[]): Buffer {
  const size = chunks.reduce((sum, chunk) => sum + Buffer.byteLength(chunk), 0);
  const joined = Buffer.allocUnsafeSlow(size);
  let offset = 0;
  for (const chunk of chunks) {
    if (typeof chunk === "string") offset += joined.write(chunk, offset);
    else {
      joined.set(chunk, offset);
      offset += chunk.byteLength;
    }
  }
  return joined;
}

interface IslandSource<Props extends object> extends Pick<IslandMarkup, "actsFor" | "shared"> {
  name: IslandName;
  component: ComponentType<Props>;
  /** All props, including the shared ones. */
  props: Props;
  /** Prefix of every id inside. */
  prefix: string;
}

/**
 * Renders an island as a React root of its own. Inside a larger tree, the ids of `useId` would differ from those in the
 * browser.
 * @throws what the component throws
 */
export function renderIsland<Props extends object>({ component, ...island }: IslandSource<Props>): IslandMarkup {
  const { props, prefix, shared } = island;
  const sharedProps = new Map<string, unknown>(Object.entries(shared?.props ?? {}));
  const isOwn = ([key, value]: [string, unknown]) => !sharedProps.has(key) || sharedProps.get(key) !== value;
  return {
    ...island,
    props: Object.fromEntries(Object.entries(props).filter(isOwn)),
    html: renderToString(createElement(component, props), { identifierPrefix: prefix }),
  };
}
