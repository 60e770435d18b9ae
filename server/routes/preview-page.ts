import express, { type Request, Router } from "express";
import type { CountryRegistry, Site } from "../countries.ts";
import type { Logger } from "../logger.ts";
import { refuseCrossSite } from "../middleware/refuse-cross-site.ts";
import type { PreviewPages } from "../pages/preview-pages.tsx";
import { resolveSite } from "../resolve-site.ts";
import type { PreviewService, StaffLoginResult } from "../shop/preview/preview-service.ts";
import { staffCallerOf } from "../shop/preview/staff-cookies.ts";

interface PreviewPageDeps {
  countries: CountryRegistry;
  defaultSite: Site;
  logger: Logger;
  preview: PreviewService;
  previewPages: PreviewPages;
}

export const previewPath = "/preview";

/** The page where staff sign in, which needs no script. */
export function previewPageRoutes(deps: PreviewPageDeps): Router {
  const { countries, defaultSite, logger, preview, previewPages } = deps;
  const router = Router();
  router.use(previewPath, (_request, response, next) => {
    response.set("X-Robots-Tag", "noindex");
    next();
  });

  router.get(previewPath, (request, response) => previewPages.sendLogin(request, response, siteOf(request)));

  router.post(
    previewPath,
    refuseCrossSite(),
    express.urlencoded({ extended: false, limit: "2kb", parameterLimit: 10 }),
    async (request: Request, response) => {
      const user = textOf(request.body?.user);
      const result = await signIn(request, user, textOf(request.body?.password));
      if (result.status === "success") return response.setHeader("Set-Cookie", result.cookies).redirect(303, "/");
      if (result.status === "throttled") response.status(429).set("Retry-After", String(result.retryAfter));
      else response.status(result.status === "unauthorized" ? 422 : 503);
      await previewPages.sendLogin(request, response, siteOf(request), { error: errors[result.status], user });
    },
  );
  return router;

  async function signIn(request: Request, user: string, password: string) {
    try {
      return await preview.login({ user, password }, staffCallerOf(request));
    } catch (error) {
      logger.error({ err: error }, "staff login failed");
      return { status: "unavailable" } as const;
    }
  }

  function siteOf(request: Request): Site {
    return resolveSite(request, countries) ?? defaultSite;
  }
}

type Failure = Exclude<StaffLoginResult["status"], "success"> | "unavailable";

const errors = { unauthorized: "wrong", throttled: "tooMany", unavailable: "unavailable" } as const satisfies Record<
  Failure,
  string
>;

/** Longer than any is, it is wrong anyway. */
function textOf(field: unknown): string {
  return typeof field === "string" ? field.slice(0, 257) : "";
}
