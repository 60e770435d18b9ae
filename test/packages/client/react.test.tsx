import { prerender } from "react-dom/static";
import { expect, it } from "vitest";
import type { Fragments } from "../../../packages/client/index.ts";
import { StorefrontFooter, StorefrontHead } from "../../../packages/client/react.tsx";
import { stubFragments } from "../../../packages/client/testing.ts";

it("renders tags and footer in React's pages", async () => {
  const head =
    '<link rel="stylesheet" href="/a.css?b=1&amp;c=2" integrity="sha384-x" crossorigin="anonymous"/>' +
    '<script src="/a.js" type="module" nonce="n"></script>';
  const html = '<footer data-fragment="footer">a &amp; b</footer>';
  const fragments: Fragments = { ...stubFragments(""), get: async () => ({ html, head, state: "fresh", build: "b" }) };
  const { prelude } = await prerender(
    <html lang="de">
      <head>
        <StorefrontHead fragments={fragments} site="DE" nonce="n" />
      </head>
      <body>
        <StorefrontFooter fragments={fragments} site="DE" />
      </body>
    </html>,
  );
  const page = await new Response(prelude).text();
  expect(page).toContain(`<div>${html}</div>`);
  const [, rendered = ""] = /<head>(.*)<\/head>/s.exec(page) ?? [];
  for (const part of [
    'href="/a.css?b=1&amp;c=2"',
    'integrity="sha384-x"',
    'crossorigin="anonymous"',
    'src="/a.js"',
    'type="module"',
    'nonce="n"',
  ])
    expect(rendered.toLowerCase()).toContain(part);
});
