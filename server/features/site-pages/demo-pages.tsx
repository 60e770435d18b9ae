import { type Request, type RequestHandler, Router } from "express";
import { DemoPage, HomePage } from "../../../client/pages/demo/DemoPage.tsx";
import type { ShopPageProps } from "../../../client/pages/ShopPage.tsx";
import type { Moment } from "../../../client/rules/time.ts";
import type { Link } from "../../../schemas/types.ts";
import type { Assets } from "../../platform/assets.ts";
import { splitLinks } from "../../platform/text-links.ts";
import type { Texts, Translate } from "../../platform/texts.ts";
import type { PageRenderer } from "../../rendering/page-renderer.tsx";
import type { PreviewOf } from "../../rendering/visitor.ts";
import type { Site } from "../../sites/countries.ts";
import { legalTexts, offersTexts, textValues } from "../../sites/legal-texts.ts";
import { imprintLines } from "../../sites/site.ts";
import { footerTranslator, type SiteContent } from "../../sites/site-content.ts";
import type { Contents } from "../content/service.ts";
import type { AppContext } from "../feature.ts";
import { buildHero } from "./hero.ts";

/**
 * The home page of a site's host: the demo shop, composed of the fragments. It has the look of the season, that of the
 * previewed moment for staff.
 */
export function homeRoute(context: AppContext, pages: PageRenderer, previewOf: PreviewOf): Router {
  const { assets, countries, siteOf } = context;
  const router = Router();
  router.get("/", async (request, response, next) => {
    if (!countries.forHost(request.hostname)) return next();
    const site = siteOf.page(request);
    const { at = Date.now() } = (await previewOf(request)) ?? {};
    const shop = includeFooter(request, site, await pages.shopProps(request, site));
    await pages.send(response, <HomePage {...shop} {...homeContent(site, at)} />);
  });
  return router;

  function homeContent(site: Site, at: Moment) {
    const text = pages.translator(site);
    return {
      hero: buildHero(site, context, at),
      worlds: buildWorlds(site, assets, text),
      promises: {
        heading: text("promises.heading"),
        items: (["returns", "payment", "service"] as const).map((id) => ({
          icon: id,
          heading: text(`promise.${id}.heading`),
          text: text(`promise.${id}.text`),
        })),
      },
    };
  }
}

/** Texts about a page of a real shop, by the start of its path. `demo.info` is for all others. */
const pageTexts = [
  { key: "demo.category", paths: /^\/category\// },
  { key: "demo.account", paths: /^\/(account|register)/ },
  { key: "demo.items", paths: /^\/(bag|wishlist)$/ },
] as const;

/**
 * Placeholders for pages that the demo shop links to but only a real shop has. A handler instead of routes, because the
 * paths differ by site. Leaves all other paths to the next handlers.
 */
export function demoPages(
  { assets, siteOf, texts }: AppContext,
  pages: PageRenderer,
  contents: Contents,
): RequestHandler {
  return async (request, response, next) => {
    if (!/^(GET|HEAD)$/.test(request.method) || !request.accepts("html")) return next();
    const site = siteOf.page(request);
    const shown = contents.current(site);
    const heading = nameOf(request, shown, texts);
    if (heading === undefined) return next();
    response.locals.route = "demo page";
    const text = texts.translator(site.locale, "page", { page: heading });
    const content = pageTexts.find(({ paths }) => paths.test(request.path))?.key ?? "demo.info";
    const paragraphs = [text("demo.text"), text(content)];
    const page = (
      <DemoPage
        {...includeFooter(request, site, await pages.shopProps(request, site))}
        title={heading}
        description={paragraphs.join(" ")}
        robots="noindex"
        label={text("demo.label")}
        heading={heading}
        paragraphs={
          request.path === site.imprint.url ? [...imprintLines(site, shown.texts), ...paragraphs] : paragraphs
        }
        link={{ url: "/", text: text("home") }}
        worlds={buildWorlds(site, assets, text)}
      />
    );
    await pages.send(response, page);
  };
}

/**
 * If an edge announces ESI (https://www.w3.org/TR/edge-arch/), lets it include the footer, as in the pages of a real
 * shop.
 */
function includeFooter(request: Request, { site }: Site, page: ShopPageProps): ShopPageProps {
  if (!request.get("Surrogate-Capability")?.includes("ESI/1.0")) return page;
  const layout = page.platform ? `&amp;platform=${page.platform}` : "";
  const address = `/fragments/footer/${site}?assets=none${layout}`;
  return { ...page, footerHtml: `<esi:include src="${address}" onerror="continue"/>` };
}

/** Describes the worlds of the demo shop to which a site's header leads. Sites of other trades have none. */
function buildWorlds({ navigation = [] }: Site, assets: Assets, text: Translate<"page">) {
  const worlds = (["coffee", "fashion", "living", "mobile"] as const).filter((id) =>
    navigation.some(({ url }) => url === `/category/${id}`),
  );
  return {
    heading: text("worlds.heading"),
    items: worlds.map((id) => ({
      heading: text(`world.${id}.heading`),
      text: text(`world.${id}.text`),
      url: `/category/${id}`,
      image: assets.url(`world-${id}.svg`),
    })),
  };
}

interface NamedLink {
  url?: string | undefined;
  text: string;
}

/** Names a page by the text of the first link to it in the site's header, footer, login page and newsletter. */
function nameOf({ url, path }: Request, content: SiteContent, texts: Texts): string | undefined {
  const { site } = content;
  const { account, footer, locale, login, navigation, newsletter } = site;
  const pageText = texts.translator(locale, "page");
  const loginText = texts.translator(locale, "login");
  const newsletterText = texts.translator(locale, "newsletter", textValues(locale, newsletter));
  const links: NamedLink[] = [
    ...(navigation ?? []).map(({ url, text }) => ({ url, text: texts.find(locale, "page", text) ?? "" })),
    ...(account?.links ?? []).map(({ url, text }) => ({ url, text: texts.find(locale, "page", text) ?? "" })),
    { url: account?.url, text: pageText("account.own") },
    ...footerLinks(footer, footerTranslator(content)),
    { url: login.forgottenPassword, text: loginText("forgottenPassword") },
    { url: login.register, text: loginText("register.link") },
    ...[...legalTexts(site), ...offersTexts(newsletter)].flatMap((key) =>
      splitLinks(newsletterText(key), newsletter.links),
    ),
    ...footer.qualityLogos.logos.map(({ link, image }) => ({ url: link, text: image.label })),
  ];
  const link = links.find((one) => one.url === url) ?? links.find((one) => one.url?.split("?")[0] === path);
  // The link may be in the middle of a sentence.
  return link && link.text.charAt(0).toLocaleUpperCase(locale) + link.text.slice(1);
}

/** Lists the links in a part of the footer. Their texts are keys in the country's file. */
function footerLinks(part: unknown, text: Translate<"footer">): NamedLink[] {
  if (typeof part !== "object" || part === null) return [];
  return isLink(part)
    ? [{ url: part.url, text: text(part.text) }]
    : Object.values(part).flatMap((child) => footerLinks(child, text));
}

function isLink(part: object): part is Link {
  return "url" in part && "text" in part;
}
