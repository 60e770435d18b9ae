import { describe, expect, it } from "vitest";
import { passwordLevel } from "../../../../client/widgets/password-strength/PasswordStrength.tsx";

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
