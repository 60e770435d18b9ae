import express, { type Request, type Response, Router } from "express";
import { StaffLoginPage } from "../../../client/pages/preview/StaffLoginPage.tsx";
import { requireSameOrigin } from "../../http/csrf.ts";
import { setFailureStatus, settleForm } from "../../rendering/error-pages.ts";
import type { PageRenderer } from "../../rendering/page-renderer.tsx";
import type { AppContext } from "../feature.ts";
import { type PreviewService, previewPath, staffCallerOf } from "./service.ts";

/** The answer to a sign-in or a shared link. */
interface StaffLoginAnswer {
  /** Why the sign-in or the link failed. */
  error?: "wrong" | "tooMany" | "unavailable" | "badLink";
  /** The user name that was entered. */
  user?: string;
  /** Token of the link to open after the sign-in. */
  share?: string | undefined;
}

/** Answers the staff sign-in page and shared links. Both work without script. */
export function previewPageRoutes(
  { logger, siteOf, texts }: AppContext,
  preview: PreviewService,
  pages: PageRenderer,
): Router {
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
    if (opened.status === "badLink")
      return sendLogin(request, setFailureStatus(response, opened), { error: "badLink" });
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
      const result = await settleForm(call, logger, "the preview service could not check a login");
      if (result.status === "success") {
        // With the new session, a GET of the same page opens the link.
        const path = (await preview.isShare(share)) ? `${previewPath}?share=${share}` : "/";
        return leave(response, { cookies: result.cookies, path });
      }
      await sendLogin(request, setFailureStatus(response, result), { error: errors[result.status], user, share });
    },
  );
  return router;

  /** Sends the staff sign-in page with the status of the response. */
  async function sendLogin(
    request: Request,
    response: Response,
    { error, user = "", share }: StaffLoginAnswer = {},
  ): Promise<void> {
    const site = siteOf.page(request);
    const text = texts.translator(site.locale, "preview", site.facts);
    const widgetText = texts.translator(site.locale, "widgets");
    const props = await pages.shopProps(request, site, { styles: ["staff-login.css"], newsletter: false });
    const page = (
      <StaffLoginPage
        {...props}
        title={text("signIn.title")}
        description={text("signIn.introduction")}
        robots="noindex"
        introduction={text("signIn.introduction")}
        labels={{ user: text("signIn.user"), password: text("signIn.password"), button: text("signIn.button") }}
        user={user}
        share={share}
        {...(error && { error: { label: widgetText("notification.error"), text: text(`signIn.${error}`) } })}
      />
    );
    await pages.send(response, page);
  }
}

function leave(response: Response, { cookies, path }: { cookies: string[]; path: string }) {
  response.setHeader("Set-Cookie", cookies).redirect(303, path);
}

const errors = { unauthorized: "wrong", rateLimited: "tooMany", unavailable: "unavailable" } as const;

/** Reads a field, cut to more than the longest valid user or password. */
function textOf(field: unknown): string {
  return typeof field === "string" ? field.slice(0, 257) : "";
}

function tokenOf(field: unknown): string | undefined {
  return typeof field === "string" ? field : undefined;
}
