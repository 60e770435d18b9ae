import { type RequestHandler, Router } from "express";
import { setCachePolicy } from "../../http/cache-control.ts";
import { type Caller, cookieHeader, mayPreview, ownStaffCookies, staffCookieNames } from "../../http/cookies.ts";
import { isReported } from "../../platform/errors.ts";
import type { Logger } from "../../platform/logger.ts";
import type { PreviewOf } from "../../rendering/visitor.ts";
import type { FindTests } from "../abtests/service.ts";
import type { Contents } from "../content/service.ts";
import type { AppContext, Feature } from "../feature.ts";
import { createPasswordLogin } from "./embedded/password-login.ts";
import { previewPageRoutes } from "./embedded/preview-page-routes.tsx";
import { previewRoutes } from "./embedded/routes.ts";
import { createSharedLinks } from "./embedded/shared-links.ts";
import { createStaffSessions } from "./embedded/staff-sessions.ts";
import { providerPageRoutes } from "./oidc/provider-page-routes.tsx";
import { createProviderSignIn } from "./oidc/provider-sign-in.ts";
import { previewPath } from "./service.ts";
import { createPreviewUpstream, type FindPreview } from "./upstream.ts";

interface Preview extends Feature {
  previewOf: PreviewOf;
  /** Keeps responses with a preview out of caches and search engines. */
  noStoreForPreviews: RequestHandler;
  /** The path of the page where staff sign in; empty if a real service has its own. */
  paths: readonly string[];
}

/** The preview for staff: the shop at a chosen time, or for a chosen group of an A/B test. */
export async function createPreview(context: AppContext, findTests: FindTests, contents: Contents): Promise<Preview> {
  const { logger, openStore, siteOf, upstreams } = context;
  const real = upstreams.preview.of(siteOf.default);
  const service = {
    name: "preview",
    paths: [{ path: "/service/preview" }],
    allowed: { cookies: staffCookieNames, setsCookies: ownStaffCookies },
    upstreams: upstreams.preview,
  };
  if (real) {
    const find = createPreviewUpstream(real);
    return { ...createLookup(find, logger), service: { ...service, routes: [] }, paths: [] };
  }
  const { db } = await openStore();
  const { staffProvider } = context.env;
  const staff = createStaffSessions(context, db, staffProvider && describeRules(staffProvider));
  const links = createSharedLinks(staff, findTests);
  const login = staffProvider ? undefined : createPasswordLogin(context, db, staff);
  return {
    ...createLookup(staff.findPreview, logger),
    service: { ...service, routes: [previewRoutes(context, db, staff, login, findTests, contents)] },
    paths: [previewPath],
    pages: (pages) => [
      hidePages(),
      ...(login ? [previewPageRoutes(context, login, links, pages)] : []),
      ...(staffProvider
        ? [providerPageRoutes(context, createProviderSignIn(context, db, staff, staffProvider), links, pages)]
        : []),
    ],
  };
}

/** Keeps the pages of staff out of search engines. */
function hidePages(): Router {
  return Router().use(previewPath, (_request, response, next) => {
    response.set("X-Robots-Tag", "noindex");
    next();
  });
}

/** Describes the provider and its rules: a session that began under others ends. */
function describeRules({ issuer, clientId, access }: NonNullable<AppContext["env"]["staffProvider"]>): string {
  return JSON.stringify([issuer, clientId, access]);
}

/**
 * Creates the lookup of a request's preview. It calls the preview service once per request, however many handlers use
 * it. After a failure, which is logged, there is no preview.
 */
function createLookup(find: FindPreview, logger: Logger): Pick<Preview, "previewOf" | "noStoreForPreviews"> {
  const known = new WeakMap<object, ReturnType<PreviewOf>>();
  return {
    previewOf,
    async noStoreForPreviews(request, response, next) {
      if (await previewOf(request)) {
        setCachePolicy(response, "private");
        response.set("X-Robots-Tag", "noindex");
      }
      next();
    },
  };

  function previewOf(request: Pick<Caller, "cookies">): ReturnType<PreviewOf> {
    const found = known.get(request) ?? lookUp(request);
    known.set(request, found);
    return found;
  }

  async function lookUp(request: Pick<Caller, "cookies">): ReturnType<PreviewOf> {
    if (!mayPreview(request)) return undefined;
    try {
      const preview = await find(request);
      return preview && { ...preview, cookie: cookieHeader(request, staffCookieNames) };
    } catch (error) {
      if (!isReported(error)) logger.warn({ err: error }, "preview service unavailable");
      return undefined;
    }
  }
}
