import { expect, it } from "vitest";
import { createTemplate, type MailValues } from "../../../../../server/features/newsletter/mail/mail-template.ts";
import { createTexts } from "../../../../../server/platform/texts.ts";
import { testLogger } from "../../../../support/test-app.ts";

it.each([
  ["hu-HU", "Eddig: {{untilDate}}.", "2026. november 28."],
  ["de-DE", "Bis {{untilDate}} …", "28.11."],
  ["de-DE", "Bis {{untilDate}}...", "28.11."],
  ["cs-CZ", "Do {{untilDate}} v {{untilTime}}", "28. 11."],
  ["pl-PL", "{{untilDate}}{{untilTime}}", "w"],
])("a template in %s writes %s as a text with its values does", (locale, text, untilDate) => {
  const texts = createTexts(testLogger, locale, "mail", { "confirm.text": text });
  const write = (values: MailValues) => texts.translator(locale, "mail", values)("confirm.text");
  const tokens = { subscriberToken: "", unsubscribeToken: "", preferencesToken: "" };
  const ofMail = { ...tokens, code: "", discount: "", validUntil: "", untilDate, untilTime: "22:30" };
  expect(createTemplate(write)(ofMail)).toBe(write(ofMail));
});
