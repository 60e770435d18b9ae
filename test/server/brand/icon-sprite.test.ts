import { expect, it } from "vitest";
import { iconCell } from "../../../client/icons/Icon.tsx";
import { type Drawing, drawSprite, ownIconStyle, readSprite } from "../../../server/brand/icon-sprite.ts";
import { drawings } from "../../support/test-app.ts";

const viewBox = ' viewBox="0 0 24 24"';
const outline: Drawing = { attributes: `${viewBox} fill="none" stroke="currentColor"`, body: '<path d="M0 0h24"/>' };
const colored: Drawing = { attributes: viewBox, body: '<path fill="#7360f2" d="M0 0h24v24H0z"/>' };
const flag: Drawing = { attributes: ' viewBox="0 0 27 18"', body: '<path fill="#fff" d="M0 0h27v18H0z"/>' };

const builtIn = {
  notices: "icons-license.txt",
  icons: new Map([["heart", outline]]),
  flags: new Map([["greece", flag]]),
};

it("a sprite is read as it was drawn", () => {
  expect(readSprite(drawSprite(builtIn))).toEqual(builtIn);
});

it("icons and flags stay where pages of an earlier build look for them, because new ones come last", () => {
  expect([iconCell("payment"), iconCell("clock")]).toEqual(["0-0", "3-8"]);
  expect([drawings.flags.get("austria"), drawings.flags.get("turkey")]).toEqual(["0-0", "1-0"]);
});

it("a shop's icon is drawn in its own colours where it has some, and in the text's otherwise", () => {
  const icons = new Map([...builtIn.icons, ["bag", outline], ["viber", colored]]);
  const style = ownIconStyle("icons-OWN.svg", builtIn, { ...builtIn, icons });
  expect(style).toMatch(/^\.sf-root\.sf-root\{--sf-icons:url\(icons-OWN\.svg\)\}/);
  expect(style.match(/\[data-icon="[^"]+"\]/g)).toEqual(['[data-icon="0-2"]']);
});

it("a shop with more icons than the rows of the built-in ones hold finds all of them", () => {
  const icons = new Map(Array.from({ length: 21 }, (_, index) => [`icon-${index}`, outline]));
  expect(ownIconStyle("icons-OWN.svg", builtIn, { ...builtIn, icons })).toMatch(
    /\[data-icon\^="1-"\]\{--sf-icon-top:-1\.25em\}.*\[data-icon\^="2-"\]\{--sf-icon-top:-2\.5em\}/,
  );
});
