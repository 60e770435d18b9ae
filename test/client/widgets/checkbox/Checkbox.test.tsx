import { describe, expect, it } from "vitest";
import { Checkbox } from "../../../../client/widgets/checkbox/Checkbox.tsx";
import { rendered } from "../rendered.ts";

const common = { name: "consents", value: "DNE", label: "I agree" };

describe("a checkbox", () => {
  it("is a native one inside its label, unchecked, with name and value", () => {
    const box = rendered(<Checkbox {...common} />)("label > input[type=checkbox]");
    expect(box.attr()).toMatchObject({ name: "consents", value: "DNE" });
    expect(box.is("[checked]")).toBe(false);
  });

  it.each(["checked", "defaultChecked"])("is checked when %s says so", (property) => {
    const box = rendered(<Checkbox {...common} {...{ [property]: true }} />)("input");
    expect(box.is("[checked]")).toBe(true);
  });

  it("has links in its label", () => {
    const $ = rendered(<Checkbox {...common} label={<a href="/privacy">Privacy</a>} />);
    expect($("label a").attr("href")).toBe("/privacy");
  });

  it("is tied to its message, and invalid", () => {
    const $ = rendered(<Checkbox {...common} error="Please agree" />);
    expect($("input").attr("aria-invalid")).toBe("true");
    expect($(`[id="${$("input").attr("aria-describedby")}"]`).text()).toBe("Please agree");
  });

  it("is neither invalid nor described without a message", () => {
    const box = rendered(<Checkbox {...common} />)("input");
    expect(box.attr("aria-invalid")).toBeUndefined();
    expect(box.attr("aria-describedby")).toBeUndefined();
  });
});
