import { load } from "cheerio";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { DateInput } from "../../../../client/widgets/date-input/DateInput.tsx";

function inputOf(element: React.ReactElement) {
  return load(renderToStaticMarkup(element))("input").attr();
}

describe("a date input", () => {
  it("is the browser's own, with years of four digits", () => {
    expect(inputOf(<DateInput label="Day" name="day" defaultValue="2026-12-04" />)).toMatchObject({
      type: "date",
      name: "day",
      value: "2026-12-04",
      max: "9999-12-31",
    });
  });

  it("takes limits", () => {
    const limits = { min: "2026-12-01", max: "2026-12-15" };
    expect(inputOf(<DateInput label="Day" {...limits} />)).toMatchObject(limits);
  });
});
