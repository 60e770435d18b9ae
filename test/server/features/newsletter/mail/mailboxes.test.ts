import { expect, it } from "vitest";
import { mailboxOf, privateDomainOf } from "../../../../../server/features/newsletter/mail/mailboxes.ts";

it.each([
  ["Ada@shop.example", "ada@shop.example"],
  ["ada+1@shop.example", "ada@shop.example"],
  ["ada+a+b@shop.example", "ada@shop.example"],
  ["ada.b@shop.example", "ada.b@shop.example"],
  ["+ada@shop.example", "+ada@shop.example"],
  ["Ada", "ada"],
  ["A.d.a+shop@googlemail.com", "ada@gmail.com"],
  ["ada@gmail.com", "ada@gmail.com"],
  ["a.da@notgmail.com", "a.da@notgmail.com"],
  ["A.d-a_+shop@pm.me", "ada@proton.me"],
  ["ada@protonmail.com", "ada@proton.me"],
  ["a.da@me.com", "a.da@icloud.com"],
  ["ada@ya.ru", "ada@yandex.com"],
  ["ada-shop@yahoo.com", "ada-shop@yahoo.com"],
  ["shop@ada.fastmail.com", "ada@fastmail.com"],
  ["ada@notfastmail.com", "ada@notfastmail.com"],
])("mail to %s arrives at %s", (address, mailbox) => {
  expect(mailboxOf(address)).toBe(mailbox);
});

it.each([
  ["ada@lovelace.family", "lovelace.family"],
  ["ada@any.thing.lovelace.family", "lovelace.family"],
  ["ada@mail.lovelace.co.at", "lovelace.co.at"],
  ["ada@com.tr", "com.tr"],
  ["shop@ada.fastmail.com", undefined],
  ["ada@protonmail.com", undefined],
  ["ada@web.de", undefined],
  ["ada@shop.example", undefined],
  ["ada@mail.example.com", undefined],
])("the private domain of %s is %s", (address, domain) => {
  expect(privateDomainOf(address)).toBe(domain);
});
