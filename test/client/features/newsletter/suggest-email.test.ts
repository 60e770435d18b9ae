import { expect, it } from "vitest";
import { suggestEmail } from "../../../../client/features/newsletter/suggest-email.ts";

it.each([
  ["anna@gmial.com", "anna@gmail.com"],
  ["anna@gmail.con", "anna@gmail.com"],
  ["Anna.B@Gmal.com", "Anna.B@gmail.com"],
  ["anna@seznm.cz", "anna@seznam.cz"],
  ["anna@outlok.com", "anna@outlook.com"],
  ["anna@we.de", "anna@web.de"],
])("doubts %s", (email, meant) => {
  expect(suggestEmail(email)).toBe(meant);
});

it.each(["anna@gmail.com", "anna@mail.de", "anna@company.example", "anna@me.com", "anna", ""])(
  "has no doubt about %j",
  (email) => {
    expect(suggestEmail(email)).toBeUndefined();
  },
);
