import { describe, expect, it } from "vitest";
import { iconCell } from "../../../client/icons/Icon.tsx";
import { Checkbox } from "../../../client/widgets/checkbox/Checkbox.tsx";
import { DateInput } from "../../../client/widgets/date-input/DateInput.tsx";
import { ErrorSummary, errorSummaryLevels } from "../../../client/widgets/error-summary/ErrorSummary.tsx";
import { Salutation, salutationVariants } from "../../../client/widgets/salutation/Salutation.tsx";
import { Select } from "../../../client/widgets/select/Select.tsx";
import { TextInput } from "../../../client/widgets/text-input/TextInput.tsx";
import { TimeInput } from "../../../client/widgets/time-input/TimeInput.tsx";
import { sites, texts as siteTexts } from "../../support/test-app.ts";
import { rendered, texts } from "./rendered.ts";

const entries = ["A", "B"].map((value) => ({ name: value, text: `Group ${value}`, value }));
const control = "input[type=checkbox], input[type=text], select, [role=radiogroup]";

describe.each<[string, (error?: string, state?: { disabled?: boolean; id?: string }) => React.ReactElement]>([
  ["a checkbox", (error, state) => <Checkbox name="terms" label="I agree" error={error} {...state} />],
  ["a text input", (error, state) => <TextInput label="Name" hint="As on your card." error={error} {...state} />],
  ["a select", (error, state) => <Select label="Group" name="group" entries={entries} error={error} {...state} />],
  ...salutationVariants.map((as): [string, (error?: string, state?: object) => React.ReactElement] => [
    `a salutation as ${as}`,
    (error, state) => <Salutation texts={texts} as={as} hint="For letters." error={error} {...state} />,
  ]),
])("%s", (_name, field) => {
  it("with an error is invalid and described by it, after its hint", () => {
    const $ = rendered(field("Please check this"));
    expect($(control).attr("aria-invalid")).toBe("true");
    expect(rendered(field())(control).attr("aria-invalid")).toBeUndefined();
    const described = String($(control).attr("aria-describedby")).split(" ");
    expect($(`[aria-live=polite] [id="${described.at(-1)}"]`).text()).toBe("Please check this");
    expect(rendered(field())("[aria-live=polite]"), "there before the error").toHaveLength(1);
    expect(described).toHaveLength($(".sf-field-hint").length + 1);
  });

  it("can be disabled, and takes the id that an error summary links to", () => {
    const $ = rendered(field(undefined, { disabled: true, id: "given" }));
    expect($("[disabled]").length).toBeGreaterThan(0);
    expect($("[id=given]").is("input, select")).toBe(true);
  });
});

it.each(salutationVariants)("a salutation as %s is marked as optional or required", (as) => {
  const $ = rendered(<Salutation texts={texts} as={as} optionalLabel="optional" />);
  expect($("legend, label").first().text()).toBe(`${texts["salutation.label"]} (optional)`);
  const required = rendered(<Salutation texts={texts} as={as} required />);
  expect(required("[role=radiogroup][aria-required=true], select[required]")).toHaveLength(1);
});

describe("a text input", () => {
  it.each([
    ["text", { type: "text" }],
    ["password", { type: "password", autocapitalize: "none", spellcheck: "false", autocomplete: "current-password" }],
    ["email", { type: "email", spellcheck: "false", autocomplete: "email" }],
    ["number", { type: "text", inputmode: "decimal", autocomplete: "off" }],
    ["iban", { type: "text", autocapitalize: "characters", spellcheck: "false", autocomplete: "off", maxlength: "42" }],
  ] as const)("of type %s asks the browser for the right keyboard and help", (type, attributes) => {
    const $ = rendered(<TextInput type={type} label="Label" name="field" defaultValue="7" />);
    expect($("input").attr()).toMatchObject({ name: "field", value: "7", ...attributes });
    expect($("label").attr("for")).toBe($("input").attr("id"));
  });

  it("shows and announces that it is valid", () => {
    const $ = rendered(<TextInput label="Label" state="valid" validLabel="Correct" />);
    expect($(".sf-icon").attr("data-icon")).toBe(iconCell("check"));
    expect($(`[id="${$("input").attr("aria-describedby")}"]`).text()).toBe("Correct");
  });

  it("for a date has years of four digits, for a time steps in minutes", () => {
    expect(rendered(<DateInput label="Day" />)("input").attr()).toMatchObject({ type: "date", max: "9999-12-31" });
    const december = { min: "2026-12-01", max: "2026-12-15" };
    expect(rendered(<DateInput label="Day" {...december} />)("input").attr()).toMatchObject(december);
    const time = rendered(<TimeInput label="Time" min="09:00" stepMinutes={15} />)("input");
    expect(time.attr()).toMatchObject({ type: "time", min: "09:00", step: "900" });
    expect(rendered(<TimeInput label="Time" />)("input").attr("step"), "to the minute").toBe("60");
  });
});

describe("the error summary", () => {
  const errors = [
    { fieldId: "email", text: "Please enter your e-mail address" },
    { fieldId: "terms", text: "Please agree to the conditions" },
  ];

  it.each(errorSummaryLevels)("has a heading %s, and links to each field by its message", (level) => {
    const $ = rendered(<ErrorSummary heading="Please check" level={level} errors={errors} />);
    expect($(level).text()).toBe("Please check");
    expect($(`[id="${$("[role=group]").attr("aria-labelledby")}"]`).text()).toBe("Please check");
    const links = $("li a").map((_index, link) => ({ fieldId: link.attribs.href?.slice(1), text: $(link).text() }));
    expect(links.get()).toEqual(errors);
  });

  it("takes the focus on a page that answers a form, and only there", () => {
    expect(rendered(<ErrorSummary heading="Please check" errors={errors} />)("[autofocus]")).toHaveLength(0);
    const answer = rendered(<ErrorSummary heading="Please check" errors={errors} attempt={1} />);
    expect(answer("[role=group]").is("[autofocus][tabindex=-1]")).toBe(true);
  });
});

it.each(sites)("the salutations and the password's levels have different words on $site", ({ locale }) => {
  const text = siteTexts.translator(locale, "widgets");
  for (const keys of [
    ["salutation.mrs", "salutation.mr", "salutation.divers", "salutation.company"],
    ["strength.weak", "strength.ok", "strength.strong", "strength.veryStrong"],
  ] as const)
    expect(new Set(keys.map((key) => text(key)).filter(Boolean)).size).toBe(4);
});
