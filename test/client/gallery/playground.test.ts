import { transform } from "esbuild";
import { describe, expect, it } from "vitest";
import {
  controlsOf,
  type PlaygroundValues,
  playgroundCode,
  queryOf,
  readValues,
} from "../../../client/gallery/playground.ts";
import { widgetDocs } from "../../../client/gallery/widget-docs.ts";

const awkward = `{"<&>'\\`;

describe.each(widgetDocs)("the playground of the $widget", (doc) => {
  const controls = controlsOf(doc);
  /** Everything set to something else than at first. */
  const changed: PlaygroundValues = Object.fromEntries(
    controls.map(({ name, kind, choices }) => {
      if (kind === "switch") return [name, true];
      if (kind === "number") return [name, "7"];
      return [name, choices.at(-1) ?? awkward];
    }),
  );

  it("finds in an address what it has put there", () => {
    const query = new URLSearchParams(queryOf(controls, changed, "pl-PL"));
    expect(query.get("language")).toBe("pl-PL");
    expect(readValues(controls, Object.fromEntries(query))).toEqual(changed);
    expect(queryOf(controls, readValues(controls, {}))).toBe("");
  });

  it("writes code that compiles", async () => {
    for (const values of [readValues(controls, {}), changed]) {
      await transform(playgroundCode(doc.playground, controls, values), { loader: "tsx" });
    }
  });
});
