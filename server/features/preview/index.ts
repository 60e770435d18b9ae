import type { Request, RequestHandler } from "express";
import { setCachePolicy } from "../../http/cache-control.ts";
import { ownStaffCookies, staffCookieNames, staffCookiesOf, writeStaffCookies } from "../../http/staff-cookies.ts";
import { isReported } from "../../platform/errors.ts";
import type { Logger } from "../../platform/logger.ts";
import type { PreviewOf, RequestedPreview } from "../../rendering/visitor.ts";
import type { Site } from "../../sites/countries.ts";
import { footerChanges } from "../../sites/footer-versions.ts";
import { footerTextLocale } from "../../sites/site.ts";
import type { FindTests } from "../abtests/service.ts";
import type { AppContext, Feature } from "../feature.ts";
import { createPreview as createEmbeddedPreview } from "./embedded/preview-service.ts";
import { previewRoutes } from "./embedded/routes.ts";
import { previewPageRoutes } from "./preview-page-routes.tsx";
import { type PreviewService, previewPath } from "./service.ts";
import { createPreviewUpstream } from "./upstream.ts";

interface Preview extends Feature {
  previewOf: PreviewOf;
  /** Keeps responses with a preview out of caches and search engines. */
  noStoreForPreviews: RequestHandler;
  /** The page where staff sign in; empty where a real service has its own. */
  paths: readonly string[];
}

/** The preview for staff: the shop at a chosen time, as a group of an A/B test sees it. */
export async function createPreview(context: AppContext, findTests: FindTests): Promise<Preview> {
  const { logger, texts, upstreams } = context;
  const service = {
    name: "preview",
    paths: [{ path: "/service/preview" }],
    allowed: { cookies: staffCookieNames },
    ownCookies: ownStaffCookies,
    upstream: upstreams.preview,
  };
  if (upstreams.preview) {
    const previews = createPreviewOf(createPreviewUpstream(upstreams.preview), logger, false);
    return { service: { ...service, routes: [] }, ...previews, paths: [] };
  }
  const { db } = await context.openStore();
  const preview = createEmbeddedPreview({
    ...context,
    db,
    report: context.securityEvents(),
    findTests,
    footerChanges: changesOf,
  });
  return {
    ...createPreviewOf(preview, logger, true),
    service: { ...service, routes: [previewRoutes({ ...context, preview })] },
    paths: [previewPath],
    pages: (pages) => [previewPageRoutes(context, preview, pages)],
  };

  function changesOf(site: Site) {
    return footerChanges(site.footer, texts.translator(footerTextLocale(site), "footer", site.facts));
  }
}

type CookieRequest = Pick<Request, "cookies">;

/**
 * Creates the lookup of a request's preview, and the middleware for its response. Both ask the preview service once per
 * request, however many handlers call them. When the service fails, that is logged, and nothing is previewed.
 * @param clearsStale - whether to remove the cookie of an invalid preview, which only the embedded service may
 */
function createPreviewOf(
  preview: Pick<PreviewService, "chosen">,
  logger: Logger,
  clearsStale: boolean,
): { previewOf: PreviewOf; noStoreForPreviews: RequestHandler } {
  const known = new WeakMap<CookieRequest, Promise<RequestedPreview | "stale" | undefined>>();
  return {
    async previewOf(request) {
      const found = await findOnce(request);
      return found === "stale" ? undefined : found;
    },

    /** Keeps responses with a preview out of caches and search engines, and removes the cookie of an invalid one. */
    async noStoreForPreviews(request, response, next) {
      const found = await findOnce(request);
      if (found === "stale") {
        if (clearsStale)
          response.append("Set-Cookie", writeStaffCookies({ context: null }, { secure: request.secure }));
        // Calls that no service answers meet this middleware again, as pages.
        known.set(request, Promise.resolve(undefined));
      } else if (found) {
        setCachePolicy(response, "private");
        response.set("X-Robots-Tag", "noindex");
      }
      next();
    },
  };

  function findOnce(request: CookieRequest): Promise<RequestedPreview | "stale" | undefined> {
    const found = known.get(request) ?? find(request);
    known.set(request, found);
    return found;
  }

  async function find(request: CookieRequest): Promise<RequestedPreview | "stale" | undefined> {
    const cookies = staffCookiesOf(request);
    if (cookies.context === undefined) return undefined;
    try {
      const chosen = await preview.chosen(cookies);
      return chosen ? { ...chosen, cookies } : "stale";
    } catch (error) {
      if (!isReported(error)) logger.warn({ err: error }, "preview service unavailable");
      return undefined;
    }
  }
}
