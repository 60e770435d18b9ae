import { load } from "cheerio";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { TimeInput } from "../../../../client/widgets/time-input/TimeInput.tsx";

function inputOf(element: React.ReactElement) {
  return load(renderToStaticMarkup(element))("input").attr();
}

describe("a time input", () => {
  it("is the browser's own, to the minute", () => {
    const attributes = { type: "time", name: "time", value: "09:30", step: "60" };
    expect(inputOf(<TimeInput label="Time" name="time" defaultValue="09:30" />)).toMatchObject(attributes);
  });

  it("takes limits and steps in minutes", () => {
    const attributes = { min: "09:00", max: "19:00", step: "900" };
    expect(inputOf(<TimeInput label="Time" min="09:00" max="19:00" stepMinutes={15} />)).toMatchObject(attributes);
  });
});
