import { describe, expect, it } from "vitest";
import { Select } from "../../../../client/widgets/select/Select.tsx";
import { rendered } from "../rendered.ts";

const entries = [
  { name: "none", text: "None", value: "" },
  { name: "first", text: "First test", value: "A" },
  { name: "second", text: "Second test", value: "B" },
];
const common = { label: "Test", name: "test", entries };

describe("a select", () => {
  it("offers its entries in their order, after the placeholder", () => {
    const options = rendered(<Select {...common} placeholder="Select a test" />)("option");
    expect(options.map((_index, option) => option.attribs.value).get()).toEqual(["", "", "A", "B"]);
    expect(options.first().text()).toBe("Select a test");
  });

  it("has its label's name", () => {
    const $ = rendered(<Select {...common} />);
    expect($("label").attr("for")).toBe($("select").attr("id"));
  });

  it.each(["value", "defaultValue"])("chooses what %s says", (property) => {
    const $ = rendered(<Select {...common} {...{ [property]: "B" }} />);
    expect($("option[selected]").text()).toBe("Second test");
  });

  it("is tied to its message, and invalid", () => {
    const $ = rendered(<Select {...common} error="Required" />);
    expect($("select").attr("aria-invalid")).toBe("true");
    expect($(`[id="${$("select").attr("aria-describedby")}"]`).text()).toBe("Required");
  });

  it("is neither invalid nor described without a message", () => {
    const select = rendered(<Select {...common} />)("select");
    expect(select.attr("aria-invalid")).toBeUndefined();
    expect(select.attr("aria-describedby")).toBeUndefined();
  });

  it("takes the id that an error summary leads to", () => {
    const $ = rendered(<Select {...common} id="given" error="Required" />);
    expect($("select").attr()).toMatchObject({ id: "given", "aria-describedby": expect.stringContaining("given") });
  });
});
