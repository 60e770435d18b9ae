import type { IncomingHttpHeaders, RequestListener } from "node:http";
import { renderToStaticMarkup } from "react-dom/server";
import { BusyPage } from "../../client/page/BusyPage.tsx";
import type { Env } from "../env.ts";
import { hostNameOf } from "../http/host.ts";
import { retryAfterShed } from "../http/overload.ts";
import { describeFailure } from "../http/program-answers.ts";
import { headersOf } from "../http/security-headers.ts";
import { isServiceCall } from "../http/service-paths.ts";
import { cacheControl } from "../http/who-may-store.ts";
import type { Texts } from "../i18n.ts";
import type { CountryRegistry, Site } from "../sites/countries.ts";

interface ShedDeps {
  countries: CountryRegistry;
  env: Pick<Env, "defaultSite" | "hsts">;
  texts: Texts;
}

/**
 * Creates what answers requests that are shed, without Express, cookies or a line of the log: composers get nothing,
 * programs an error, people a page in the language of the site.
 */
export function createAnswerShed({ countries, env, texts }: ShedDeps): RequestListener {
  const common = { ...Object.fromEntries(headersOf("any", env)), "Cache-Control": cacheControl.page };
  const error = JSON.stringify(describeFailure({ kind: "unavailable" }));
  const pages = new Map(countries.sites.map((site) => [site.site, renderPage(site)]));
  return ({ headers, url = "" }, response) => {
    const [type, body] = answerTo(url, headers);
    response
      .writeHead(503, { ...common, "Content-Type": `${type}; charset=utf-8`, "Retry-After": retryAfterShed() })
      .end(body);
  };

  function answerTo(
    url: string,
    { accept = "", host = "" }: IncomingHttpHeaders,
  ): [type: string, body: string | undefined] {
    if (/^\/(fragments|assets)\//i.test(url)) return ["text/html", ""];
    if (/^\/service\//i.test(url) && (isServiceCall(url) || !accept.includes("text/html")))
      return ["application/json", error];
    return ["text/html", pages.get(countries.forHost(hostNameOf(host))?.site ?? env.defaultSite)];
  }

  function renderPage({ locale }: Site): string {
    const text = texts.translator(locale, "page");
    const page = <BusyPage locale={locale} heading={text("error.heading")} text={text("error.text")} />;
    return `<!DOCTYPE html>${renderToStaticMarkup(page)}`;
  }
}
