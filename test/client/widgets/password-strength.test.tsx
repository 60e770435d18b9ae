import { load } from "cheerio";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { PasswordStrength } from "../../../client/widgets/password-strength/PasswordStrength.tsx";
import { passwordLevel } from "../../../client/widgets/password-strength/password-level.ts";

describe("passwordLevel", () => {
  it.each([
    ["", 0],
    ["aB3", 0],
    ["Kaffee7", 0],
    ["!!!!!!!!", 0],
    ["        ", 0],
    ["kaffeebo", 1],
    ["KAFFEEBO", 1],
    ["12345678", 1],
    ["kaffee12", 2],
    ["Kaffeebo", 2],
    ["KAFFEE12", 2],
    ["Kaffee12", 3],
    ["Kaffee-7", 3],
    ["ščřžýáíé", 1],
    ["ŠČŘŽÝÁÍÉ", 1],
    ["İıĞğŞşÖö", 2],
    ["Ąę7łŁóżź", 3],
    ["Пароль12", 3],
    ["密码密码密码密码", 0],
    ["密码密码密码密7", 1],
    ["٣٣٣٣٣٣٣٣", 1],
    ["Aa1☕☕☕☕", 0],
    ["Aa1🫘🫘🫘🫘", 0],
    ["Aa1🫘🫘🫘🫘🫘", 3],
  ])("rates %j as %i", (password, level) => {
    expect(passwordLevel(password)).toBe(level);
  });
});

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
