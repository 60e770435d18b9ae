import { type Request, type Response, Router } from "express";
import { StaffLoginForm, type StaffLoginProps } from "../../../../client/features/preview/StaffLoginForm.tsx";
import { LoginPage } from "../../../../client/pages/ShopPage.tsx";
import { requireSameOrigin } from "../../../http/csrf.ts";
import { formBody } from "../../../http/request-input.ts";
import { setFailureStatus, settleForm } from "../../../rendering/error-pages.ts";
import type { PageRenderer } from "../../../rendering/page-renderer.tsx";
import { renderIsland } from "../../../rendering/render-element.ts";
import type { AppContext } from "../../feature.ts";
import { previewPath, type SharedLinks } from "../service.ts";
import type { StaffPasswordLogin } from "./password-login.ts";
import { tokenOf } from "./shared-links.ts";

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
  login: StaffPasswordLogin,
  links: SharedLinks,
  pages: PageRenderer,
): Router {
  const router = Router();

  router.get(previewPath, async (request, response) => {
    const opened = await links.open(request);
    if (!opened) return sendLogin(request, response);
    if (opened.status === "badLink")
      return sendLogin(request, setFailureStatus(response, opened), { error: "badLink" });
    if (opened.status === "signedOut") return sendLogin(request, response, { share: opened.share });
    response.setHeader("Set-Cookie", opened.cookies).redirect(303, opened.path);
  });

  router.post(previewPath, requireSameOrigin(), formBody(), async (request: Request, response) => {
    const user = textOf(request.body?.user);
    const share = tokenOf(request.body?.share);
    const call = login(user, textOf(request.body?.password), request);
    const result = await settleForm(call, logger, "the preview service could not check a login");
    if (result.status === "success") {
      // The new session lets a GET of the same page open the link.
      const path = await links.pathAfterSignIn(share);
      return response.setHeader("Set-Cookie", result.cookies).redirect(303, path);
    }
    await sendLogin(request, setFailureStatus(response, result), { error: errors[result.status], user, share });
  });
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
