import { expect, it } from "vitest";
import { mailboxOf } from "../../../../../server/features/newsletter/mail/mailboxes.ts";

it.each([
  ["Ada@shop.example", "ada@shop.example"],
  ["ada+1@shop.example", "ada@shop.example"],
  ["ada+a+b@shop.example", "ada@shop.example"],
  ["ada.b@shop.example", "ada.b@shop.example"],
  ["+ada@shop.example", "+ada@shop.example"],
  ["A.d.a+shop@googlemail.com", "ada@gmail.com"],
  ["ada@gmail.com", "ada@gmail.com"],
  ["a.da@notgmail.com", "a.da@notgmail.com"],
])("mail to %s arrives at %s", (address, mailbox) => {
  expect(mailboxOf(address)).toBe(mailbox);
});
