import express, { type Request, type Response, Router } from "express";
import { requireSameOrigin } from "../http/require-same-origin.ts";
import type { Texts } from "../i18n.ts";
import type { Logger } from "../logger.ts";
import { outcomeOf } from "../pages/form-outcome.ts";
import { failWith } from "../pages/page-answers.ts";
import type { PageRenderer } from "../pages/page-renderer.tsx";
import { type PreviewService, previewPath } from "../services/preview-service.ts";
import { staffCallerOf } from "../services/staff-cookies.ts";
import type { SiteResolver } from "../sites/resolve-site.ts";
import { createPreviewPages, type StaffLoginAnswer } from "./preview-pages.tsx";

interface PreviewPageDeps {
  logger: Logger;
  preview: PreviewService;
  pages: PageRenderer;
  siteOf: SiteResolver;
  texts: Texts;
}

/** Answers the page where staff sign in and shared links lead. It needs no script. */
export function previewPageRoutes({ logger, pages, preview, siteOf, texts }: PreviewPageDeps): Router {
  const previewPages = createPreviewPages({ pages, texts });
  const router = Router();
  router.use(previewPath, (_request, response, next) => {
    response.set("X-Robots-Tag", "noindex");
    next();
  });

  router.get(previewPath, async (request, response) => {
    if (request.query.share === undefined) return sendLogin(request, response);
    const share = tokenOf(request.query.share);
    const opened = await preview.openShare(share, staffCallerOf(request));
    if (opened.status === "opened") return leave(response, opened);
    if (opened.status === "badLink") return sendLogin(request, failWith(response, opened), { error: "badLink" });
    await sendLogin(request, response, { share });
  });

  router.post(
    previewPath,
    requireSameOrigin(),
    express.urlencoded({ extended: false, limit: "8kb", parameterLimit: 10 }),
    async (request: Request, response) => {
      const user = textOf(request.body?.user);
      const share = tokenOf(request.body?.share);
      const credentials = { user, password: textOf(request.body?.password) };
      const call = preview.login(credentials, staffCallerOf(request));
      const result = await outcomeOf(call, logger, "the preview service could not check a login");
      if (result.status === "success") {
        // With the session that begins now, a GET of the same page opens the shared link.
        const path = (await preview.isShare(share)) ? `${previewPath}?share=${share}` : "/";
        return leave(response, { cookies: result.cookies, path });
      }
      await sendLogin(request, failWith(response, result), { error: errors[result.status], user, share });
    },
  );
  return router;

  function sendLogin(request: Request, response: Response, answer?: StaffLoginAnswer): Promise<void> {
    return previewPages.sendLogin(request, response, siteOf.page(request), answer);
  }
}

function leave(response: Response, { cookies, path }: { cookies: string[]; path: string }) {
  response.setHeader("Set-Cookie", cookies).redirect(303, path);
}

const errors = { unauthorized: "wrong", rateLimited: "tooMany", unavailable: "unavailable" } as const;

/** Reads a field, cut to a length that no user name or password has: what is longer is wrong anyway. */
function textOf(field: unknown): string {
  return typeof field === "string" ? field.slice(0, 257) : "";
}

function tokenOf(field: unknown): string | undefined {
  return typeof field === "string" ? field : undefined;
}
