import { describe, expect, it } from "vitest";
import { ErrorSummary, errorSummaryLevels } from "../../../../client/widgets/error-summary/ErrorSummary.tsx";
import { rendered } from "../rendered.ts";

const errors = [
  { fieldId: "email", text: "Please enter your e-mail address" },
  { fieldId: "terms", text: "Please agree to the conditions" },
];

describe("the error summary", () => {
  it("links to each field by its message, in order", () => {
    const links = rendered(<ErrorSummary heading="Please check" errors={errors} />)("li a");
    expect(links.map((_index, link) => link.attribs.href).get()).toEqual(["#email", "#terms"]);
    expect(links.first().text()).toBe("Please enter your e-mail address");
  });

  it("has its heading's name and can take the focus", () => {
    const $ = rendered(<ErrorSummary heading="Please check" errors={errors} />);
    const summary = $("[role=group]");
    expect($(`[id="${summary.attr("aria-labelledby")}"]`).text()).toBe("Please check");
    expect(summary.attr("tabindex")).toBe("-1");
  });

  it.each([0, 1])("is nothing for %i errors", (count) => {
    expect(rendered(<ErrorSummary heading="Please check" errors={errors.slice(0, count)} />).html()).toBe("");
  });

  it.each(errorSummaryLevels)("has a heading %s", (level) => {
    const $ = rendered(<ErrorSummary heading="Please check" level={level} errors={errors} />);
    expect($(level).text()).toBe("Please check");
  });

  it("takes the focus in a page that answers a form, and only there", () => {
    const first = rendered(<ErrorSummary heading="Please check" errors={errors} />);
    const answer = rendered(<ErrorSummary heading="Please check" errors={errors} attempt={1} />);
    expect(first("[autofocus]")).toHaveLength(0);
    expect(answer("[role=group]").is("[autofocus]")).toBe(true);
  });
});
