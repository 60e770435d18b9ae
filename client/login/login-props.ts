import type login from "../../locales/de/login.json";
import type { WidgetTexts } from "../widgets/widget-texts.ts";

/** What the login form shows, with its texts translated. Plain data, as it also travels to the browser. */
export interface LoginProps {
  /** Code of the site. */
  site: string;
  locale: string;
  /** Address of the icon sprite. */
  sprite: string;
  links: { forgottenPassword: string; register: string };
  texts: Pick<typeof login, (typeof formTexts)[number]>;
  widgetTexts: Pick<WidgetTexts, (typeof formWidgetTexts)[number]>;
  /** What the server answers to a form that was sent without script. */
  answer?: LoginAnswer;
}

export interface LoginAnswer {
  email: string;
  stayLoggedIn: boolean;
  problem: LoginProblem;
}

/** Why somebody isn't signed in. */
export type LoginProblem =
  | { kind: "missing"; fields: LoginField[] }
  | { kind: "unauthorized" }
  /** `wait` says in words when to try again. */
  | { kind: "throttled"; wait: string }
  | { kind: "unavailable" };

/** The fields that nobody can sign in without. */
export const loginFields = ["email", "password"] as const;
export type LoginField = (typeof loginFields)[number];

/** Keys of the texts that the form shows. */
export const formTexts = [
  "heading",
  "intro",
  "email.label",
  "password.label",
  "stayLoggedIn.label",
  "submit",
  "forgottenPassword",
  "register.text",
  "register.link",
  "error.email.required",
  "error.password.required",
  "error.unauthorized",
  "error.throttled",
  "error.throttled.wait",
  "error.unavailable",
] as const satisfies (keyof typeof login)[];

/** Keys of the widget kit's words that the form uses. */
export const formWidgetTexts = [
  "loading",
  "showPassword",
  "hidePassword",
  "passwordShown",
  "passwordHidden",
  "notification.error",
  "errorSummary.heading",
] as const satisfies (keyof WidgetTexts)[];
