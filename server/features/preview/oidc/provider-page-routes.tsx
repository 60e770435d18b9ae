import { type Request, type Response, Router } from "express";
import { MessagePage } from "../../../../client/pages/ShopPage.tsx";
import type { TextKeys } from "../../../../schemas/types.ts";
import { hideQueryFromReferer } from "../../../http/security-headers.ts";
import { singleVisit } from "../../../http/single-visit.ts";
import type { FailureKind } from "../../../platform/errors.ts";
import { setFailureStatus, settleForm } from "../../../rendering/error-pages.ts";
import type { PageRenderer } from "../../../rendering/page-renderer.tsx";
import type { AppContext } from "../../feature.ts";
import { previewPath, type SharedLinks } from "../service.ts";
import type { ProviderSignIn, ProviderSignIns } from "./provider-sign-in.ts";

/** Where the provider leads back to. */
const callbackPath = `${previewPath}/callback`;

/** What a page says about a failure. */
interface Problem {
  status: FailureKind;
  text:
    | { namespace: "preview"; key: TextKeys["preview"] }
    | { namespace: "staff-sign-in"; key: TextKeys["staff-sign-in"] };
  /** Whether only another account, or another way to sign in, helps. */
  asksAgain?: boolean;
}

const unavailable: Problem = { status: "unavailable", text: { namespace: "preview", key: "signIn.unavailable" } };
const lost: Problem = { status: "badRequest", text: { namespace: "staff-sign-in", key: "lost" } };

const problems: Readonly<Record<Exclude<ProviderSignIn["status"], "success"> | "badLink", Problem>> = {
  badLink: { status: "badLink", text: { namespace: "preview", key: "signIn.badLink" } },
  lost,
  invalid: lost,
  wrongClock: unavailable,
  unavailable,
  rateLimited: { status: "rateLimited", text: { namespace: "preview", key: "signIn.tooMany" } },
  refused: { status: "forbidden", text: { namespace: "staff-sign-in", key: "refused" } },
  notAllowed: { status: "forbidden", text: { namespace: "staff-sign-in", key: "notAllowed" }, asksAgain: true },
  weak: { status: "forbidden", text: { namespace: "staff-sign-in", key: "weak" }, asksAgain: true },
};

/** Answers `/preview` by the provider's sign-in, the end of a sign-in, and shared links. All works without script. */
export function providerPageRoutes(
  { countries, logger, siteOf, texts }: AppContext,
  signIns: ProviderSignIns,
  links: SharedLinks,
  pages: PageRenderer,
): Router {
  const router = Router();

  router.get(previewPath, async (request, response) => {
    const { origin } = siteOf.host(request);
    // The provider leads back to the host of a site, which must have the cookie.
    if (!countries.forHost(request.hostname)) return response.redirect(303, origin + request.originalUrl);
    const opened = await links.open(request);
    if (opened?.status === "badLink") return sendProblem(request, response, "badLink");
    if (opened?.status === "open") return response.setHeader("Set-Cookie", opened.cookies).redirect(303, opened.path);
    const begun = signIns.begin(request, origin + callbackPath, request.query.as === "another", opened?.share);
    const result = await settleForm(begun, logger, "the sign-in of staff could not begin");
    if ("status" in result) return sendProblem(request, response, result.status);
    response.setHeader("Set-Cookie", result.cookie).redirect(303, result.url);
  });

  router.get(callbackPath, hideQueryFromReferer, singleVisit, async (request, response) => {
    const call = signIns.complete(request, new URL(request.originalUrl, siteOf.host(request).origin));
    const result = await settleForm(call, logger, "the sign-in of staff could not be completed");
    if ("cookies" in result) response.setHeader("Set-Cookie", result.cookies);
    if (result.status === "success") return response.redirect(303, await links.pathAfterSignIn(result.target));
    // The Back button leads here after a sign-in.
    if (result.status === "lost" && (await signIns.hasSession(request))) return response.redirect(303, "/");
    await sendProblem(request, response, result.status, "retryAfter" in result ? result.retryAfter : undefined);
  });
  return router;

  async function sendProblem(
    request: Request,
    response: Response,
    name: keyof typeof problems,
    retryAfter?: number,
  ): Promise<void> {
    const site = siteOf.host(request);
    const text = texts.translator(site.locale, "preview");
    const { status, text: said, asksAgain = false } = problems[name];
    // A shop's own locale may lack these texts.
    const locale = texts.find(site.locale, "staff-sign-in", "lost") === undefined ? "en" : site.locale;
    const own = texts.translator(locale, "staff-sign-in");
    setFailureStatus(response, { status, ...(retryAfter !== undefined && { retryAfter }) });
    await pages.send(
      response,
      <MessagePage
        {...(await pages.shopProps(request, site, { newsletter: false }))}
        title={text("signIn.title")}
        robots="noindex"
        text={said.namespace === "preview" ? text(said.key) : own(said.key)}
        link={
          asksAgain
            ? { url: `${previewPath}?as=another`, text: own("another") }
            : { url: previewPath, text: text("signIn.button") }
        }
      />,
    );
  }
}
