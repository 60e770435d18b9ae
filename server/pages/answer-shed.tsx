import { createHash } from "node:crypto";
import type { IncomingHttpHeaders, RequestListener } from "node:http";
import { renderToStaticMarkup } from "react-dom/server";
import { BusyPage, busyStyle } from "../../client/page/BusyPage.tsx";
import type { Brand } from "../brand/brand.ts";
import type { Env } from "../env.ts";
import { hostNameOf } from "../http/host.ts";
import { retryAfterShed } from "../http/overload.ts";
import { describeFailure } from "../http/program-answers.ts";
import { headersOf, type RouteClass } from "../http/security-headers.ts";
import { isServiceCall } from "../http/service-paths.ts";
import { cacheControl } from "../http/who-may-store.ts";
import type { Texts } from "../i18n.ts";
import type { CountryRegistry, Site } from "../sites/countries.ts";

interface ShedDeps {
  brand: Brand;
  countries: CountryRegistry;
  env: Pick<Env, "defaultSite" | "hsts">;
  texts: Texts;
}

interface Answer {
  headers: Record<string, string>;
  body: string;
}

/**
 * Creates what answers requests that are shed, without Express, cookies or a line of the log: composers get nothing,
 * programs an error, people a page in the language of the site.
 */
export function createAnswerShed({ brand, countries, env, texts }: ShedDeps): RequestListener {
  const style = busyStyle({ ...brand.colors, stack: brand.type.stack });
  /** By which the policy of the page allows the stylesheet in it. */
  const styleHash = `sha256-${createHash("sha256").update(style).digest("base64")}`;
  const nothing = createAnswer("any", "text/html", "");
  const error = createAnswer("any", "application/json", JSON.stringify(describeFailure({ kind: "unavailable" })));
  const pages = new Map(
    countries.sites.map((site) => [site.site, createAnswer("busyPage", "text/html", renderPage(site))]),
  );
  return ({ headers, url = "" }, response) => {
    const answer = answerTo(url, headers) ?? nothing;
    response.writeHead(503, { ...answer.headers, "Retry-After": retryAfterShed() }).end(answer.body);
  };

  function answerTo(url: string, { accept = "", host = "" }: IncomingHttpHeaders): Answer | undefined {
    if (/^\/(fragments|assets)\//i.test(url)) return nothing;
    if (/^\/service\//i.test(url) && (isServiceCall(url) || !accept.includes("text/html"))) return error;
    return pages.get(countries.forHost(hostNameOf(host))?.site ?? env.defaultSite);
  }

  function createAnswer(routes: RouteClass, type: string, body: string): Answer {
    const headers = [...headersOf(routes, env)].map(([name, value]) => [name, value.replace("<style>", styleHash)]);
    return {
      headers: {
        ...Object.fromEntries(headers),
        "Cache-Control": cacheControl.page,
        "Content-Type": `${type}; charset=utf-8`,
      },
      body,
    };
  }

  function renderPage({ locale }: Site): string {
    const text = texts.translator(locale, "page");
    const [heading, message] = [text("error.heading"), text("error.text")];
    const page = <BusyPage locale={locale} brand={brand.name} style={style} heading={heading} text={message} />;
    return `<!DOCTYPE html>${renderToStaticMarkup(page)}`;
  }
}
