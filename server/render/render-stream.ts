import type { ReactElement } from "react";
import { type PipeableStream, renderToPipeableStream } from "react-dom/server";
import type { Milliseconds } from "../../client/rules/time.ts";
import { RenderTimeoutError } from "../errors.ts";

interface RenderOptions {
  /** Longest time the render may take. */
  deadline: Milliseconds;
  /** Ends the render early with the signal's reason, such as that the client has gone. */
  signal?: AbortSignal | undefined;
  /** When the stream starts: with "all" once everything is rendered, with "shell" once all outside Suspense is. */
  startAt: "all" | "shell";
  /** Nonce of the scripts that React itself adds to a page. */
  nonce?: string;
}

/**
 * Renders an element to HTML, which is then to be piped.
 * @returns the stream, once `startAt` is reached; with "all", nothing can fail after the first byte
 * @throws RenderTimeoutError after the deadline, the reason of `signal`, or what a component has thrown
 */
export function renderStream(element: ReactElement, options: RenderOptions): Promise<PipeableStream> {
  const { deadline, signal, startAt, nonce } = options;
  if (signal?.aborted) return Promise.reject(signal.reason);
  const { promise, resolve, reject } = Promise.withResolvers<PipeableStream>();
  let stopped = false;
  const start = () => {
    // React reports that a stopped render is ready, too: test/server/pages/page-renderer.test.ts
    if (!stopped) resolve(render);
  };

  const render = renderToPipeableStream(element, {
    ...(nonce && { nonce }),
    onShellReady: () => startAt === "shell" && start(),
    onAllReady: () => {
      clearTimeout(timer);
      if (startAt === "all") start();
    },
    onError: reject,
  });
  const stop = (reason: Error) => {
    stopped = true;
    clearTimeout(timer);
    reject(reason);
    render.abort(reason);
  };
  const timer = setTimeout(() => stop(new RenderTimeoutError(`not rendered within ${deadline} ms`)), deadline);
  signal?.addEventListener("abort", () => stop(signal.reason), { once: true });
  return promise;
}
