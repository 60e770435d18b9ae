import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";

/** A colour, except those of the visitor's system, such as `CanvasText`. */
const color =
  /#[0-9a-f]{3,8}\b|\b(?:rgb|hsl|hwb|lab|lch|oklab|oklch|color)a?\(|\b(?:black|white|gr[ae]y|silver|red)\b/i;

it.each(globSync("client/**/*.css").filter((file) => !file.endsWith("/tokens.css")))(
  "%s takes every colour from a custom property",
  async (file) => {
    const source = (await readFile(file, "utf8")).replace(/\/\*.*?\*\//gs, "");
    // The part beside a property is for browsers without that property.
    const declarations = source.replaceAll(/var\([^()]*\)/g, "").match(/[\w-]+:\s[^;{}]+;/g) ?? [];
    expect(declarations.filter((declaration) => color.test(declaration.replace("white-space", "")))).toEqual([]);
  },
);
