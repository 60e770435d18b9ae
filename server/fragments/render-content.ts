import type { Readable } from "node:stream";
import { type Milliseconds, second } from "../../client/rules/time.ts";
import { renderStream } from "../render/render-stream.ts";
import type { FragmentContent } from "./fragment.ts";

interface RenderContentOptions {
  /** Ends the render early with its reason. */
  signal?: AbortSignal | undefined;
  /** Replaces the React renderer, so that tests can let it fail. */
  renderElement?: typeof renderStream | undefined;
}

/** Longest time for the render of one fragment. */
const deadline: Milliseconds = 0.8 * second;

/**
 * Renders what a fragment shows.
 * @returns a stream of HTML that can't fail any more
 * @throws RenderTimeoutError after the deadline, the reason of `signal`, or what a component has thrown
 */
export function renderContent(
  content: FragmentContent,
  { signal, renderElement = renderStream }: RenderContentOptions = {},
): Promise<Readable> {
  return renderElement(content.element(), { deadline, signal, startAt: "all" });
}
