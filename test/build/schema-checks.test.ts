import { globSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, resolve } from "node:path";
import { expect, it } from "vitest";
import germany from "../../countries/de.ts";
import { createValidator, validateBy } from "../../server/platform/validate.ts";

const require = createRequire(import.meta.url);
const wrongValues = [undefined, null, 7, "", "‹", "a <b>", [], [{}], {}, { unknown: true }];

/** A country with one entry in each long list, which takes a hundredth of the time. */
const country = {
  ...germany,
  footer: {
    ...germany.footer,
    teaser: { groups: germany.footer.teaser.groups.slice(0, 1) },
    seo: { ...germany.footer.seo, columns: [germany.footer.seo.columns[0]?.slice(0, 1)] },
    legalLinks: germany.footer.legalLinks.slice(0, 2),
  },
};

/** Yields an object with each of its parts, at any depth, replaced by wrong values. */
function* withMistakes(whole: object): Generator<unknown> {
  for (const [name, part] of Object.entries(whole)) {
    for (const value of wrongValues) yield Object.assign(structuredClone(whole), { [name]: value });
    if (typeof part === "object" && part !== null)
      for (const value of withMistakes(part)) yield Object.assign(structuredClone(whole), { [name]: value });
  }
}

it.each(globSync("schemas/*.schema.json"))(
  "checks in a release what %s checks, and reports the same faults",
  (file) => {
    const name = basename(file, ".schema.json");
    const { default: check } = require(resolve(`dist/server/checks/${name}.js`));
    const [built, compiled] = [validateBy(() => check), createValidator(name)];
    const { properties = {} } = JSON.parse(readFileSync(file, "utf8"));
    const whole = name === "country" ? country : Object.fromEntries(Object.keys(properties).map((key) => [key, {}]));
    const values = [...wrongValues, whole, ...withMistakes(whole)];
    const results = (validate: typeof built) => values.map((value) => validate(structuredClone(value)));
    expect(results(built)).toEqual(results(compiled));
    expect(results(compiled).some(({ valid }) => !valid)).toBe(true);
  },
);
