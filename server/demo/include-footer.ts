import type { Request } from "express";
import type { ShopPageProps } from "../../client/page/ShopPage.tsx";
import type { Site } from "../sites/countries.ts";

/**
 * Leaves the footer of a page to the edge, where that says that it puts pages together by ESI
 * (https://www.w3.org/TR/edge-arch/): the page then includes the fragment, as pages of a real shop do.
 */
export function includeFooter(request: Request, { site }: Site, page: ShopPageProps): ShopPageProps {
  if (!request.get("Surrogate-Capability")?.includes("ESI/1.0")) return page;
  const layout = page.platform ? `&amp;platform=${page.platform}` : "";
  const address = `/fragments/footer/${site}?assets=none${layout}`;
  return { ...page, footerHtml: `<esi:include src="${address}" onerror="continue"/>` };
}
