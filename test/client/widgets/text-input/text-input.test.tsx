import { load } from "cheerio";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it, vi } from "vitest";
import { EmailInput } from "../../../../client/widgets/text-input/EmailInput.tsx";
import { IbanInput } from "../../../../client/widgets/text-input/IbanInput.tsx";
import { textAlignments } from "../../../../client/widgets/text-input/InputBase.tsx";
import { NumberInput } from "../../../../client/widgets/text-input/NumberInput.tsx";
import { PasswordInput } from "../../../../client/widgets/text-input/PasswordInput.tsx";
import { TextInput, textInputTypes } from "../../../../client/widgets/text-input/TextInput.tsx";

const reveal = { show: "Show", hide: "Hide", shown: "Shown", hidden: "Hidden" };

function inputOf(element: React.ReactElement) {
  return load(renderToStaticMarkup(element))("input");
}

describe("a text input", () => {
  it.each(textInputTypes)("of type %s has a label, no inline style and its value in a plain form", (type) => {
    const $ = load(renderToStaticMarkup(<TextInput type={type} label="Label" name="field" defaultValue="7" />));
    expect($("label").attr("for")).toBe($("input").attr("id"));
    expect($("input").attr()).toMatchObject({ name: "field", value: "7", "data-align": "left" });
    expect($("[style]").length).toBe(0);
  });

  it.each([
    ["text", { type: "text" }],
    ["password", { type: "password", autocapitalize: "none", spellcheck: "false", autocomplete: "current-password" }],
    [
      "email",
      { type: "email", inputmode: "email", autocapitalize: "none", spellcheck: "false", autocomplete: "email" },
    ],
    ["number", { type: "text", inputmode: "decimal", autocomplete: "off" }],
    ["iban", { type: "text", autocapitalize: "characters", spellcheck: "false", autocomplete: "off", maxlength: "42" }],
  ] as const)("of type %s asks the browser for the right keyboard and help", (type, attributes) => {
    expect(inputOf(<TextInput type={type} label="Label" />).attr()).toMatchObject(attributes);
  });

  it.each([EmailInput, IbanInput, NumberInput, PasswordInput])("%o passes on what the form needs", (Input) => {
    const input = inputOf(
      <Input label="Label" name="n" autoComplete="username" required maxLength={9} inputMode="numeric" disabled />,
    );
    expect(input.attr()).toMatchObject({ name: "n", autocomplete: "username", maxlength: "9", inputmode: "numeric" });
    expect(input.is("[required][disabled]")).toBe(true);
  });

  it.each(textAlignments)("stands %s", (align) => {
    expect(inputOf(<TextInput label="Label" align={align} />).attr("data-align")).toBe(align);
  });

  it("falls back to the default for a type or alignment that comes as data and isn't one, and says so once", () => {
    // @ts-expect-error: neither is one
    const wrong = <TextInput label="Label" type="colour" align="middle" />;
    expect(inputOf(wrong).attr()).toMatchObject({ type: "text", "data-align": "left" });
    inputOf(wrong);
    expect(vi.mocked(console.warn).mock.calls.flat()).toEqual([
      'text input type: "colour" is none of text, password, email, number, iban',
      'text alignment: "middle" is none of left, right, center',
    ]);
    vi.mocked(console.warn).mockClear();
  });
});

describe("its state", () => {
  it("is nothing by default", () => {
    const $ = load(renderToStaticMarkup(<TextInput label="Label" />));
    expect($("input").is("[aria-invalid], [aria-describedby]")).toBe(false);
    expect($("svg").length).toBe(0);
  });

  it("is shown by a check mark and said when valid", () => {
    const $ = load(renderToStaticMarkup(<TextInput label="Label" state="valid" validLabel="Correct" />));
    expect($("use").attr("href")).toContain("#check");
    expect($(`[id="${$("input").attr("aria-describedby")}"]`).text()).toBe("Correct");
  });

  it("is shown by a warning sign and tied to the input, after the hint, when there is an error", () => {
    const $ = load(renderToStaticMarkup(<TextInput label="Label" hint="Hint." error="Wrong." />));
    expect($("use").attr("href")).toContain("#warning");
    expect($("input").attr("aria-invalid")).toBe("true");
    const ids = $("input").attr("aria-describedby")?.split(" ") ?? [];
    expect(ids.map((id) => $(`[id="${id}"]`).text())).toEqual(["Hint.", "Wrong."]);
    expect($("[aria-live=polite]").text()).toBe("Wrong.");
  });
});

describe("the button that shows a password", () => {
  it("isn't in the server's markup, but what it says has its place", () => {
    const $ = load(renderToStaticMarkup(<PasswordInput label="Password" reveal={reveal} />));
    expect($("button").length).toBe(0);
    expect($("[role=status]").text()).toBe("");
    expect($("input").is("[data-with-button]")).toBe(true);
  });
});
