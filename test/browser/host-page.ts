import type { Page } from "playwright";
import type { Site } from "../../server/sites/countries.ts";
import type { Shop } from "./start-shop.ts";

interface HostPage {
  site: Site;
  /** Parameters of the footer. */
  parameters?: Record<string, string>;
  /** Rules of its own, in a stylesheet after everything else. */
  css?: string;
  /** Its Content-Security-Policy. */
  policy?: string;
  /** Its Referrer-Policy. */
  referrerPolicy?: string;
  /** The parts of the footer's markup that it includes. Default: the whole footer, twice. */
  include?: (footer: string) => string[];
}

/** The host page's own stylesheet. */
export const hostStylesheet = 'link[href="/host/host.css"]';

/** The fragment's stylesheets. */
export const footerStylesheets = ".slot link[rel=stylesheet]";

/** The elements outside the fragment. */
export const hostElements = "html, body, body > :not(.slot), body > :not(.slot) *";

/** Shows a host page of another author on the host of a site. It includes the footer fragment. */
export async function showHostPage(
  page: Page,
  shop: Shop,
  { site, parameters, css = "", policy, referrerPolicy, include = (footer) => [footer, footer] }: HostPage,
): Promise<void> {
  const query = new URLSearchParams({ site: site.site, ...parameters });
  const answer = await fetch(`${shop.listener}/fragments/footer?${query}`);
  const fragments = include(await answer.text());
  const files = {
    "": { contentType: "text/html; charset=utf-8", body: documentAround(fragments) },
    "frame.css": { contentType: "text/css", body: frame },
    "host.css": { contentType: "text/css", body: css },
  };
  for (const [name, file] of Object.entries(files)) {
    const headers = {
      "Content-Type": file.contentType,
      "Cache-Control": "no-store",
      ...(policy && { "Content-Security-Policy": policy }),
      ...(referrerPolicy && { "Referrer-Policy": referrerPolicy }),
    };
    shop.answer(shop.address(site, `/host/${name}`), (_request, response) => {
      response.writeHead(200, headers).end(file.body);
    });
  }
  await page.goto(shop.address(site, "/host/"));
}

/** Keeps the space around the footers the same under any rules. */
const frame = `
  html, body, .slot {
    display: block !important; position: static !important; float: none !important; box-sizing: border-box !important;
    width: auto !important; min-width: 0 !important; max-width: none !important; min-height: 0 !important;
    margin: 0 !important; padding: 0 !important; border: 0 !important; overflow: visible !important;
  }`;

function documentAround(fragments: string[]): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Host page</title>
    <link rel="icon" href="/service/footer-images/logos/visa.svg?icon">
    <link rel="stylesheet" href="/host/frame.css">
  </head>
  <body id="host">
    <header><a href="/">Host</a> <nav aria-label="Main"><ul><li><a href="/a">A</a></li></ul></nav></header>
    <main>
      <h1>Host page</h1>
      <h2>Section</h2>
      <h3>Part</h3>
      <p>Text with <a href="/b">a link</a>, <strong>weight</strong> and <code>code</code>.</p>
      <ul><li>One</li><li>Two</li></ul>
      <ol><li>One</li></ol>
      <details open><summary>More</summary><p>Panel</p></details>
      <form action="/c">
        <label>Name <input name="name"></label> <select><option>One</option></select> <button>Go</button>
      </form>
      <table><tr><th>Head</th><td>Cell</td></tr></table>
      <section><svg width="20" height="20"><circle cx="10" cy="10" r="8"></circle></svg></section>
      <footer><p>A footer of the host's own</p></footer>
    </main>
    ${fragments.map((fragment) => `<div class="slot">${fragment}</div>`).join("\n    ")}
    <link rel="stylesheet" href="/host/host.css">
  </body>
</html>
`;
}
