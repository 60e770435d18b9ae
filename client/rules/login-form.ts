import type login from "../../locales/de/login.json";
import type { TextKeys } from "../../schemas/types.ts";

/** The props of the login form, with translated texts. Plain data, because they are sent to the browser as JSON. */
export interface LoginProps {
  /** The path that the form is sent to without script: that of its page. */
  action: string;
  /** Code of the site. */
  site: string;
  locale: string;
  links: { forgottenPassword: string; register: string };
  texts: Pick<typeof login, (typeof formTexts)[number]>;
  widgetTexts: Record<(typeof formWidgetTexts)[number], string>;
  /** The result of a form that was submitted without script. */
  answer?: LoginAnswer;
}

export interface LoginAnswer {
  email: string;
  stayLoggedIn: boolean;
  problem: LoginProblem;
}

/** The reason why the login failed. */
export type LoginProblem =
  | { kind: "missing"; fields: LoginField[] }
  | { kind: "unauthorized" }
  /** `wait` is the waiting time in words, such as "2 Minuten". */
  | { kind: "throttled"; wait: string }
  | { kind: "unavailable" };

/** The required fields. */
export const loginFields = ["email", "password"] as const;
export type LoginField = (typeof loginFields)[number];

/** Keys of the texts in the form. */
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

/** Keys of the widget texts in the form. */
export const formWidgetTexts = [
  "loading",
  "showPassword",
  "hidePassword",
  "passwordShown",
  "passwordHidden",
  "notification.error",
  "errorSummary.heading",
] as const satisfies TextKeys["widgets"][];
