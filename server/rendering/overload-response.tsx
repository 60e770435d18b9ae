import { createHash } from "node:crypto";
import type { IncomingHttpHeaders, RequestListener } from "node:http";
import { contentSecurityPolicy } from "helmet";
import { renderToStaticMarkup } from "react-dom/server";
import type { Brand } from "../brand/brand.ts";
import { setCachePolicy } from "../http/cache-control.ts";
import { describeFailure, isServiceCall } from "../http/error-handler.ts";
import { retryAfterOverload } from "../http/load-shedding.ts";
import type { SecurityHeaders } from "../http/security-headers.ts";
import { parseHostName } from "../platform/host-name.ts";
import type { Site } from "../sites/countries.ts";
import type { RenderingContext } from "./rendering-context.ts";

type OverloadContext = Pick<RenderingContext, "brand" | "countries" | "siteOf" | "texts"> & {
  securityHeaders: SecurityHeaders;
};

const empty = { type: "text/html; charset=utf-8", body: "" };
/** Browsers report an error for a stylesheet of another type, whatever its status. */
const emptyStyle = { type: "text/css; charset=utf-8", body: "" };
const error = {
  type: "application/json; charset=utf-8",
  body: JSON.stringify(describeFailure({ kind: "unavailable" })),
};

/**
 * Creates the listener that answers rejected requests without Express and without logging: composers get an empty body,
 * programs an error, people a page in the site's language.
 */
export function createOverloadResponse(context: OverloadContext): RequestListener {
  const { brand, countries, securityHeaders, siteOf, texts } = context;
  const style = styleOf(brand);
  const hash = `'sha256-${createHash("sha256").update(style).digest("base64")}'`;
  const policy = contentSecurityPolicy({
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], styleSrc: [hash], baseUri: ["'none'"], frameAncestors: ["'self'"] },
  });
  const pages = new Map(countries.sites.map((site) => [site.site, { ...empty, body: renderPage(site) }]));
  return (request, response) => {
    const { type, body } = contentFor(request.url ?? "", request.headers) ?? empty;
    const send = () => {
      setCachePolicy(response, "page");
      response.writeHead(503, { "Content-Type": type, "Retry-After": retryAfterOverload() }).end(body);
    };
    securityHeaders.base(request, response, () => policy(request, response, send));
  };

  function contentFor(url: string, { accept = "", host = "" }: IncomingHttpHeaders) {
    if (/^\/assets\/[^?]*\.css/i.test(url)) return emptyStyle;
    if (/^\/(fragments|assets)\//i.test(url)) return empty;
    if (/^\/service\//i.test(url) && (isServiceCall(url) || !accept.includes("text/html"))) return error;
    return pages.get((countries.forHost(parseHostName(host)) ?? siteOf.default).site);
  }

  /** Renders a page that loads nothing. Its style is inline, and its Content-Security-Policy allows no other. */
  function renderPage({ locale }: Site): string {
    const text = texts.translator(locale, "page");
    const page = (
      <html lang={locale}>
        <head>
          <meta charSet="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="robots" content="noindex" />
          <title>{`${text("error.heading")} – ${brand.name}`}</title>
          <style>{style}</style>
        </head>
        <body>
          <header>
            <p>{brand.name}</p>
          </header>
          <main>
            <h1>{text("error.heading")}</h1>
            <p>{text("error.text")}</p>
          </main>
        </body>
      </html>
    );
    return `<!DOCTYPE html>${renderToStaticMarkup(page)}`;
  }
}

/** Returns the style of a page. Its sizes grow with the visitor's text. */
function styleOf({ colors, type }: Brand): string {
  return (
    `body{max-width:40rem;margin:0 auto;padding:2rem 1rem;background:${colors.surface};color:${colors.ink};` +
    `font-family:${type.stack};line-height:1.5;overflow-wrap:anywhere}` +
    `header{color:${colors.accentDark};font-size:1.25rem;font-weight:700}` +
    "h1{font-size:clamp(1.75rem,4vw,3rem);line-height:1.2}"
  );
}
