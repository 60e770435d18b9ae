import type { ComponentProps } from "react";
import type { WidgetDoc, WidgetTexts } from "../widget-doc.ts";
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
  purpose: "Takes a new password and shows how strong it is.",
  do: [
    "Say in the hint what makes a password strong.",
    "Know how it rates: from 8 characters, it counts how many of these a password has: lowercase letters, uppercase letters, digits (of any script). Shorter passwords are weak. Other characters count towards the length only.",
  ],
  dont: [
    "Don’t use it on a login form: existing passwords aren’t rated.",
    "Don’t block pasting, and don’t ask for the password twice: people can show what they typed.",
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
    "The level is shown as text and as a bar, which is hidden from screen readers.",
    "The level is announced when typing pauses for a second, not at every key.",
    "Label, hint and error are linked to the input. An error that appears later is announced.",
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
