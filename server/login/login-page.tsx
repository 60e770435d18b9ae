import type { Request, Response } from "express";
import { LoginForm } from "../../client/login/LoginForm.tsx";
import { LoginPage } from "../../client/login/LoginPage.tsx";
import { formTexts, formWidgetTexts, type LoginAnswer, type LoginProps } from "../../client/login/login-props.ts";
import type { PageLink } from "../../client/page/Page.tsx";
import type { Assets } from "../assets.ts";
import { pickTexts, type Texts } from "../i18n.ts";
import type { PageRenderer } from "../pages/page-renderer.tsx";
import { renderIsland } from "../render/island.ts";
import type { Site } from "../sites/countries.ts";

/** Sends the page to log in, with the status that the response has. */
export type SendLoginPage = (request: Request, response: Response, site: Site, answer?: LoginAnswer) => Promise<void>;

interface LoginPageDeps {
  assets: Assets;
  pages: PageRenderer;
  texts: Texts;
}

/** Creates the sender of the login page. Without an answer it is kept, as all see the same who aren't signed in. */
export function createLoginPage({ assets, pages, texts }: LoginPageDeps): SendLoginPage {
  return async (request, response, site, answer) => {
    const { key, props } = await pages.shopFrame(request, site, { styles: ["login.css"] });
    const page = () => <LoginPage {...props()} {...contentFor(site, answer)} />;
    if (answer || key === undefined) return pages.send(response, page());
    await pages.sendKept(response, `/login ${key}`, () => ({ page: page() }));
  };

  function contentFor(site: Site, answer?: LoginAnswer) {
    const text = texts.translator(site.locale, "login");
    const word = texts.translator(site.locale, "widgets");
    const props: LoginProps = {
      site: site.site,
      locale: site.locale,
      sprite: assets.path("icons.svg"),
      links: site.login,
      texts: pickTexts(formTexts, text),
      widgetTexts: pickTexts(formWidgetTexts, word),
      ...(answer && { answer }),
    };
    const title = text("title");
    return {
      title: answer ? `${word("notification.error")}: ${title}` : title,
      description: text("intro"),
      links: linksOf(site),
      form: renderIsland({
        name: "login",
        component: LoginForm,
        props,
        prefix: `login-${site.site}`,
        actsFor: "everybody",
      }),
    };
  }
}

/** Lists the other addresses of the page. Those in apps are `<system>-app://<id>/<protocol>/<host and path>`. */
function linksOf({ origin, apps }: Site): PageLink[] {
  const { protocol, host } = new URL(origin);
  const inApp = `${protocol.replace(":", "")}/${host}/login`;
  return [
    { rel: "canonical", href: `${origin}/login` },
    { rel: "alternate", href: `${origin}/m/login`, media: "only screen and (max-width: 767px)" },
    { rel: "alternate", href: `android-app://${apps.android}/${inApp}` },
    { rel: "alternate", href: `ios-app://${apps.ios}/${inApp}` },
  ];
}
