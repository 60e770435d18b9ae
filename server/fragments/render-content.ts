import { type Milliseconds, second } from "../../client/rules/time.ts";
import { collectStream } from "../render/collect-stream.ts";
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
 * Renders what a fragment shows, whole: composers would put a part of it into their page.
 * @throws RenderTimeoutError after the deadline, the reason of `signal`, or what a component has thrown
 */
export async function renderContent(
  content: FragmentContent,
  { signal, renderElement = renderStream }: RenderContentOptions = {},
): Promise<Buffer> {
  return collectStream(await renderElement(content.element(), { deadline, signal, startAt: "all" }));
}
