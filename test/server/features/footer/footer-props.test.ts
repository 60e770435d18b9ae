import { expect, it } from "vitest";
import { buildFooterProps } from "../../../../server/features/footer/footer-props.ts";
import { builtInContent } from "../../../../server/sites/site-content.ts";
import { context, siteOf, texts } from "../../../support/test-app.ts";

it.each([
  ["+90 (850) 123-45\u00a067", "tel:+908501234567"],
  ["0850/123 45 67", "tel:08501234567"],
])("a link calls the imprint's number however it is written, also from abroad: %s", (phone, url) => {
  const site = siteOf("TR");
  const content = builtInContent({ ...site, imprint: { ...site.imprint, phone } }, texts);
  const form = { platform: "CLASSIC", links: "relative", assets: "none" } as const;
  const parameters = { ...form, reduced: false, newsletter: false, preview: false };
  const files = { styles: [], scripts: [] };
  const { body } = buildFooterProps(context, undefined, parameters, files, { content, version: 0 });
  const links = body.teasers.flatMap((teaser) => teaser.links.map(({ link }) => link));
  expect(links.filter((link) => link.url.startsWith("tel:"))).toMatchObject([{ url }]);
});
