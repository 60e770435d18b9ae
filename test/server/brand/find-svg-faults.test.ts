import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { findSvgFaults } from "../../../server/brand/find-svg-faults.ts";

const svg = (body: string, attributes = 'viewBox="0 0 24 16"') =>
  `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${body}</svg>`;

describe("a drawing", () => {
  it("has no fault if it is one of the built-in ones", () => {
    const files = globSync("client/**/*.svg");
    expect(files.length).toBeGreaterThan(40);
    for (const file of files) expect(findSvgFaults(readFileSync(file, "utf8")), file).toEqual([]);
  });

  it.each([
    ["shapes and text", svg("<g><path d='M0 0'/><text>A &amp; B</text></g>")],
    ["a declaration, comments and lines", `<?xml version="1.0"?>\n<!-- by hand: <a> & -->\n${svg("\n  <g/>\n")}\n`],
    [
      "a colour that it draws itself",
      svg(`<defs><linearGradient id="a"/></defs><g fill="url(#a)" style="stroke:url( '#a')"/><use href="#a"/>`),
    ],
    [
      "what a program has noted",
      svg('<g inkscape:label="a"/>', 'viewBox="0 0 1 1" xmlns:inkscape="http://inkscape.org"'),
    ],
    ["a viewBox with commas and fractions", svg("<g/>", 'viewBox="-0.5,0,24.5,16"')],
  ])("may have %s", (_what, source) => {
    expect(findSvgFaults(source)).toEqual([]);
  });

  const outside = (name: string) => `must not refer to anything outside, as ${name} does`;
  const old = 'viewBox="0 0 24 16" xmlns:xlink="http://www.w3.org/1999/xlink"';
  it.each([
    ["a script", svg("<script>alert(1)</script>"), "must not have the element script"],
    ["a page in it", svg("<foreignObject/>"), "must not have the element foreignObject"],
    ["an animation, which sets addresses", svg("<g><set/></g>"), "must not have the element set"],
    ["a picture in it", svg('<image href="#a"/>'), "must not have the element image"],
    ["styles for the whole file", svg("<style>*{fill:red}</style>"), "must not have the element style"],
    ["an event handler", svg('<g onload="a()"/>'), "must not have the event handler onload"],
    ["one in capitals", svg('<g ONLOAD="a()"/>'), "must not have the event handler ONLOAD"],
    ["an address", svg('<use href="//evil.example/a.svg#a"/>'), outside("href")],
    ["an address of old", svg('<use xlink:href="data:image/svg+xml,a"/>', old), outside("xlink:href")],
    ["a colour from elsewhere", svg('<g fill="url( https://evil.example)"/>'), outside("fill")],
    ["an address with a character by its number", svg('<use href="&#104;ttps:"/>'), outside("href")],
    ["a hidden one", svg('<g style="fill:u\\72l(https://evil.example)"/>'), outside("style")],
    ["an address of a set", svg(`<g style="mask:image-set('https://evil.example' 1x)"/>`), outside("style")],
    ["an older one", svg(`<g style="mask:-webkit-IMAGE-SET('//evil.example' 1x)"/>`), outside("style")],
    ["an image by its address", svg(`<g style="mask:image('/a.png')"/>`), outside("style")],
    ["an image that fades", svg(`<g style="mask:cross-fade('/a.png', red)"/>`), outside("style")],
    ["an address in words", svg(`<g fill="src('https://evil.example')"/>`), outside("fill")],
    ["an unknown prefix", svg('<g inkscape:label="a"/>'), "isn't well-formed SVG: see line 1"],
    ["no viewBox", svg("<g/>", 'width="24"'), "must have a viewBox of four numbers"],
    ["half a viewBox", svg("<g/>", 'viewBox="0 0 24"'), "must have a viewBox of four numbers"],
    ["another element around it", "<g/>", 'must begin with <svg xmlns="http://www.w3.org/2000/svg">'],
    ["no namespace", '<svg viewBox="0 0 1 1"/>', 'must begin with <svg xmlns="http://www.w3.org/2000/svg">'],
  ])("has the fault named: %s", (_what, source, fault) => {
    expect(findSvgFaults(source)).toEqual([fault]);
  });

  it.each([
    ["nothing", "", "isn't well-formed SVG: see line 1"],
    ["no XML", "\x89PNG", "isn't well-formed SVG: see line 1"],
    ["an element that doesn't end", svg("\n<g>"), "isn't well-formed SVG: see line 2"],
    ["one that ends twice", svg("\n</g></g>"), "isn't well-formed SVG: see line 2"],
    ["a value without quotes", svg("\n\n<g id=a/>"), "isn't well-formed SVG: see line 3"],
    ["a value twice", svg('<g id="a" id="b"/>'), "isn't well-formed SVG: see line 1"],
    [
      "names of its own for characters",
      `<!DOCTYPE svg [<!ENTITY a "b">]>${svg("&a;")}`,
      "isn't well-formed SVG: see line 1",
    ],
    ["a stylesheet of its own", `<?xml-stylesheet href="a.css"?>${svg("<g/>")}`, "isn't well-formed SVG: see line 1"],
    ["two drawings", svg("<g/>") + svg("<g/>"), "isn't well-formed SVG: see line 1"],
    ["text behind it", `${svg("<g/>")}a`, "isn't well-formed SVG: see line 1"],
    ["unread text", svg("<![CDATA[<script>]]>"), "isn't well-formed SVG: see line 1"],
  ])("that is none is named so: %s", (_what, source, fault) => {
    expect(findSvgFaults(source)).toEqual([fault]);
  });
});
