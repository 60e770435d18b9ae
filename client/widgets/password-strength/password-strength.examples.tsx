import type { ComponentProps } from "react";
import type { WidgetDoc } from "../widget-doc.ts";
import type { WidgetTexts } from "../widget-texts.ts";
import { PasswordStrength } from "./PasswordStrength.tsx";

/** One password per level. */
const samples = {
  weak: "Kaffee1",
  ok: "kaffeebohne",
  strong: "kaffeebohne7",
  veryStrong: "Kaffeebohne7",
};

function render(texts: WidgetTexts, props: Partial<ComponentProps<typeof PasswordStrength>> = {}) {
  return (
    <PasswordStrength
      label={texts.password}
      name="new-password"
      hint={texts["strength.hint"]}
      reveal={{
        show: texts.showPassword,
        hide: texts.hidePassword,
        shown: texts.passwordShown,
        hidden: texts.passwordHidden,
      }}
      strength={{
        label: texts["strength.label"],
        levels: [texts["strength.weak"], texts["strength.ok"], texts["strength.strong"], texts["strength.veryStrong"]],
      }}
      {...props}
    />
  );
}

export const passwordStrengthDoc: WidgetDoc = {
  widget: "password-strength",
  title: "Password strength",
  group: "forms",
  purpose: "Takes a new password and tells how strong it is.",
  do: [
    "Say in the hint what makes a password strong.",
    "Take passwordLevel for the same level elsewhere: from 8 characters on, the number of classes among lowercase letters, digits and uppercase letters, of any script (Unicode Ll, Nd, Lu); shorter ones are weak. Symbols and letters without case count for the length.",
  ],
  dont: [
    "Don’t use it where a visitor logs in: an existing password isn’t rated.",
    "Don’t block pasting, and don’t ask for the password twice: one can show it.",
  ],
  texts: [
    "password",
    "showPassword",
    "hidePassword",
    "passwordShown",
    "passwordHidden",
    "strength.label",
    "strength.weak",
    "strength.ok",
    "strength.strong",
    "strength.veryStrong",
    "strength.hint",
  ],
  inEveryLanguage: true,
  accessibility: [
    "The level is a text as well as a bar. The bar is hidden from screen readers.",
    "The level is said when typing pauses for a second, and not with every key.",
    "Label, hint and error are tied to the input; an error that comes later is said.",
  ],
  picture: () => (
    <svg viewBox="0 0 200 60" width="200" height="60" aria-hidden="true">
      <rect x="1" y="1" width="198" height="38" rx="6" fill="none" stroke="currentColor" />
      <path stroke="currentColor" strokeWidth="7" strokeLinecap="round" strokeDasharray="0 14" d="M18 20h90" />
      <path stroke="currentColor" strokeWidth="6" d="M1 54h44m6 0h44m6 0h44" />
      <path stroke="currentColor" strokeWidth="6" opacity=".2" d="M151 54h48" />
    </svg>
  ),
  examples: [
    { name: "empty", state: "default", render: (texts) => render(texts) },
    ...Object.entries(samples).map(([name, defaultValue]) => ({
      name: name === "veryStrong" ? "very strong" : name,
      state: "default",
      render: (texts: WidgetTexts) => render(texts, { defaultValue }),
    })),
  ],
};
