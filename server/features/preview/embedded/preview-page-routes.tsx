import express, { type Request, type Response, Router } from "express";
import { StaffLoginForm, type StaffLoginProps } from "../../../../client/features/preview/StaffLoginForm.tsx";
import { LoginPage } from "../../../../client/pages/ShopPage.tsx";
import { requireSameOrigin } from "../../../http/csrf.ts";
import { setFailureStatus, settleForm } from "../../../rendering/error-pages.ts";
import type { PageRenderer } from "../../../rendering/page-renderer.tsx";
import { renderIsland } from "../../../rendering/render-element.ts";
import type { Preview } from "../../../rendering/visitor.ts";
import type { FindTests } from "../../abtests/service.ts";
import type { AppContext } from "../../feature.ts";
import { groupsOf } from "./routes.ts";
import { previewPath, type StaffSessions } from "./staff-sessions.ts";

/** The answer to a sign-in or a shared link. */
interface StaffLoginAnswer {
  /** Why the sign-in or the link failed. */
  error?: "wrong" | "tooMany" | "unavailable" | "badLink";
  /** The user name that was entered. */
  user?: string;
  /** The token of the link that is opened after the sign-in. */
  share?: string | undefined;
}

/** Answers the staff sign-in page and shared links. Both work without script. */
export function previewPageRoutes(
  { logger, siteOf, texts }: AppContext,
  staff: StaffSessions,
  findTests: FindTests,
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
    const shared = await staff.readLink(share);
    if (!shared) return sendLogin(request, setFailureStatus(response, { status: "badLink" }), { error: "badLink" });
    const session = await staff.find(request);
    if (!session) return sendLogin(request, response, { share });
    const preview = await withoutEndedTest(shared.preview);
    response.setHeader("Set-Cookie", await staff.writePreview(session, preview, request)).redirect(303, shared.path);
  });

  router.post(
    previewPath,
    requireSameOrigin(),
    express.urlencoded({ extended: false, limit: "8kb", parameterLimit: 10 }),
    async (request: Request, response) => {
      const user = textOf(request.body?.user);
      const share = tokenOf(request.body?.share);
      const call = staff.login(user, textOf(request.body?.password), request);
      const result = await settleForm(call, logger, "the preview service could not check a login");
      if (result.status === "success") {
        // The new session lets a GET of the same page open the link.
        const path = (await staff.readLink(share)) ? `${previewPath}?share=${share}` : "/";
        return response.setHeader("Set-Cookie", result.cookies).redirect(303, path);
      }
      await sendLogin(request, setFailureStatus(response, result), { error: errors[result.status], user, share });
    },
  );
  return router;

  async function withoutEndedTest({ at, selection }: Preview): Promise<Preview> {
    const isActive = selection && groupsOf(await findTests(at), selection.test)?.includes(selection.group);
    return isActive ? { at, selection } : { at };
  }

  /** Sends the staff sign-in page with the status of the response. */
  async function sendLogin(
    request: Request,
    response: Response,
    { error, user = "", share }: StaffLoginAnswer = {},
  ): Promise<void> {
    const site = siteOf.page(request);
    const text = texts.translator(site.locale, "preview", site.facts);
    const widgetText = texts.translator(site.locale, "widgets");
    const title = text("signIn.title");
    const introduction = text("signIn.introduction");
    const props: StaffLoginProps = {
      texts: {
        title,
        introduction,
        user: text("signIn.user"),
        password: text("signIn.password"),
        button: text("signIn.button"),
      },
      reveal: {
        show: widgetText("showPassword"),
        hide: widgetText("hidePassword"),
        shown: widgetText("passwordShown"),
        hidden: widgetText("passwordHidden"),
      },
      user,
      share,
      error: error && { label: widgetText("notification.error"), text: text(`signIn.${error}`) },
    };
    const island = { name: "staff-login", component: StaffLoginForm, props, prefix: "staff-login" } as const;
    const shop = await pages.shopProps(request, site, { styles: ["login.css"], newsletter: false });
    const page = (
      <LoginPage
        {...shop}
        title={title}
        description={introduction}
        robots="noindex"
        form={() => renderIsland({ ...island, actsFor: "everybody" })}
      />
    );
    await pages.send(response, page);
  }
}

const errors = { unauthorized: "wrong", rateLimited: "tooMany", unavailable: "unavailable" } as const;

/** Reads a field. Cuts it, but not below the length of the longest valid user or password. */
function textOf(field: unknown): string {
  return typeof field === "string" ? field.slice(0, 257) : "";
}

function tokenOf(field: unknown): string | undefined {
  return typeof field === "string" ? field : undefined;
}
