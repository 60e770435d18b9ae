import { describe, expect, it, vi } from "vitest";
import { Salutation, salutationVariants } from "../../../../client/widgets/salutation/Salutation.tsx";
import { createTestApp, sites } from "../../../support/test-app.ts";
import { rendered, texts } from "../rendered.ts";

const { deps } = await createTestApp();
const displayed = ["MRS", "MR", "DIVERS", "COMPANY"];

describe("the salutation", () => {
  it("has radio buttons in the order of display, none of them chosen", () => {
    const $ = rendered(<Salutation texts={texts} />);
    const radios = $("fieldset input[type=radio][name=salutation]");
    expect(radios.map((_index, radio) => radio.attribs.value).get()).toEqual(displayed);
    expect(radios.is("[checked]")).toBe(false);
    expect($("legend").text()).toBe(texts["salutation.label"]);
  });

  it("has a select with the same choices after an empty one", () => {
    const options = rendered(<Salutation texts={texts} as="select" />)("select[name=salutation] option");
    expect(options.map((_index, option) => option.attribs.value).get()).toEqual(["", ...displayed]);
  });

  it.each(["value", "defaultValue"])("chooses what %s says", (property) => {
    const choice = { [property]: "DIVERS" };
    const radios = rendered(<Salutation texts={texts} {...choice} />);
    const select = rendered(<Salutation texts={texts} as="select" {...choice} />);
    expect(radios("[checked]").attr("value")).toBe("DIVERS");
    expect(select("[selected]").attr("value")).toBe("DIVERS");
  });

  it.each(salutationVariants)("as %s is locked when disabled", (as) => {
    const $ = rendered(<Salutation texts={texts} as={as} defaultValue="MRS" disabled />);
    expect($("fieldset, select").is("[disabled]")).toBe(true);
  });

  it.each(salutationVariants)("as %s is tied to its hint and message, required and invalid", (as) => {
    const $ = rendered(<Salutation texts={texts} as={as} required hint="For letters" error="Please choose" />);
    const field = $("[role=radiogroup], select");
    const described = String(field.attr("aria-describedby"))
      .split(" ")
      .map((id) => $(`[id="${id}"]`).text());
    expect(described).toEqual(["For letters", "Please choose"]);
    expect(field.attr("aria-invalid")).toBe("true");
    expect($("[required]").length).toBeGreaterThan(0);
  });

  it.each(salutationVariants)("as %s says that it is optional", (as) => {
    const $ = rendered(<Salutation texts={texts} as={as} optionalLabel="optional" />);
    expect($("legend, label").first().text()).toBe(`${texts["salutation.label"]} (optional)`);
  });

  it("carries the id that an error summary leads to at its first radio button", () => {
    const $ = rendered(<Salutation texts={texts} id="given" />);
    expect($("[id=given]").attr("value")).toBe("MRS");
  });

  it("is a radio group when data want something else, and says so once", () => {
    const said = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const wrong = { as: "dropdown" as unknown as "radio" };
    for (const _time of [1, 2])
      expect(rendered(<Salutation texts={texts} {...wrong} />)("[type=radio]")).toHaveLength(4);
    expect(said.mock.calls).toEqual([['salutation as: "dropdown" is none of radio, select']]);
    said.mockClear();
  });

  it.each(sites)("has four different words on $site", ({ locale }) => {
    const text = deps.texts.translator(locale, "widgets");
    const words = (["salutation.mrs", "salutation.mr", "salutation.divers", "salutation.company"] as const).map(text);
    expect(new Set(words.filter(Boolean)).size).toBe(4);
  });
});
