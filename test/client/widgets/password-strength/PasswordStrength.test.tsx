import { load } from "cheerio";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { PasswordStrength } from "../../../../client/widgets/password-strength/PasswordStrength.tsx";

describe("a field for a new password", () => {
  const strength = { label: "Strength:", levels: ["weak", "ok", "strong", "very strong"] } as const;
  const $ = load(renderToStaticMarkup(<PasswordStrength label="Password" hint="Hint." strength={strength} />));

  it("is one to password managers", () => {
    expect($("input").attr()).toMatchObject({ type: "password", autocomplete: "new-password" });
  });

  it("is described by the hint and the strength, of which there is nothing yet", () => {
    const ids = $("input").attr("aria-describedby")?.split(" ") ?? [];
    expect(ids.map((id) => $(`[id="${id}"]`).length && $(`[id="${id}"]`).text())).toEqual(["Hint.", ""]);
    expect($("[role=status]").text()).toBe("");
  });
});
