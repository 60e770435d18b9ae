import type { Fragment } from "./fragment.ts";
import { createFragmentService, type FragmentContext } from "./fragment-service.ts";
import { createPageRenderer, type PageContext } from "./page-renderer.tsx";

/**
 * Creates what renders: the fragments of all features, and pages with the footer around their content.
 * @returns the fragments with their cache and routes, and the renderer of pages
 */
export function createRendering(
  context: FragmentContext & PageContext,
  features: readonly { fragments?: readonly Fragment[] }[],
  footer: Fragment,
) {
  const fragments = createFragmentService(context, features);
  return { fragments, pages: createPageRenderer(context, footer, fragments.renderer) };
}
