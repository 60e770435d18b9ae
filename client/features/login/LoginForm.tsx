import { type RefObject, type SubmitEvent, useEffect, useEffectEvent, useId, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { LoginRequest } from "../../../schemas/types.ts";
import { readCookies } from "../../host-page/read-cookies.ts";
import { track } from "../../host-page/track.ts";
import { type LoginField, type LoginProblem, type LoginProps, loginFields } from "../../rules/login-form.ts";
import { isSignedIn } from "../../rules/login-token.ts";
import { redirectCookie, safeRedirect } from "../../rules/safe-redirect.ts";
import { waitingTime } from "../../rules/waiting-time.ts";
import { Button } from "../../widgets/button/Button.tsx";
import { Checkbox } from "../../widgets/checkbox/Checkbox.tsx";
import { ErrorSummary } from "../../widgets/error-summary/ErrorSummary.tsx";
import { Notification } from "../../widgets/notification/Notification.tsx";
import { EmailInput } from "../../widgets/text-input/EmailInput.tsx";
import { PasswordInput } from "../../widgets/text-input/PasswordInput.tsx";
import { TextLink } from "../../widgets/text-link/TextLink.tsx";
import { UnbrokenWords } from "../../widgets/UnbrokenWords.tsx";
import { useHydrated } from "../../widgets/use-hydrated.ts";
import { fetchKnownEmail, type LoginOutcome, requestLogin } from "./login-service.ts";

/** The maximum length of a field in characters, as in the login service. */
const maxLength = 256;

/** The login form. It works as a plain form until its script has loaded; React controls none of its fields. */
export function LoginForm(props: LoginProps) {
  const { texts, widgetTexts, links, answer } = props;
  const { attributes, submitting, problem, attempt } = useLoginForm(props);
  const hydrated = useHydrated();
  const titleId = useId();
  const ids = { email: useId(), password: useId() };
  const missing = problem?.kind === "missing" ? problem.fields : [];
  const message = messageOf(problem, texts);
  const errorOf = (field: LoginField) => (missing.includes(field) ? texts[`error.${field}.required`] : undefined);
  const errors = missing.map((field) => ({ fieldId: ids[field], text: texts[`error.${field}.required`] }));
  return (
    <form
      {...attributes}
      className="sf-login"
      action={props.action}
      method="post"
      noValidate={hydrated}
      aria-labelledby={titleId}
    >
      <h1 id={titleId}>{texts.heading}</h1>
      <p>
        <UnbrokenWords text={texts.intro} />
      </p>
      <Notification role="alert" state="error" label={widgetTexts["notification.error"]}>
        {message && <UnbrokenWords text={message} />}
      </Notification>
      <ErrorSummary heading={widgetTexts["errorSummary.heading"]} errors={errors} attempt={attempt} />
      <input type="hidden" name="site" value={props.site} />
      <EmailInput
        id={ids.email}
        name="email"
        label={texts["email.label"]}
        autoComplete="username"
        defaultValue={answer?.email}
        maxLength={maxLength}
        required
        error={errorOf("email")}
      />
      <PasswordInput
        id={ids.password}
        name="password"
        label={texts["password.label"]}
        reveal={{
          show: widgetTexts.showPassword,
          hide: widgetTexts.hidePassword,
          shown: widgetTexts.passwordShown,
          hidden: widgetTexts.passwordHidden,
        }}
        maxLength={maxLength}
        required
        error={errorOf("password")}
      />
      <TextLink href={links.forgottenPassword} iconPosition="none">
        {texts.forgottenPassword}
      </TextLink>
      <Checkbox name="stayLoggedIn" label={texts["stayLoggedIn.label"]} defaultChecked={answer?.stayLoggedIn} />
      <Button type="submit" width="full" loading={submitting} loadingLabel={widgetTexts.loading}>
        {texts.submit}
      </Button>
      <p>
        {texts["register.text"]}{" "}
        <TextLink href={links.register} iconPosition="none">
          {texts["register.link"]}
        </TextLink>
      </p>
    </form>
  );
}

/** The message above the form; undefined for missing fields, which have their own messages. */
function messageOf(problem: LoginProblem | undefined, texts: LoginProps["texts"]): string | undefined {
  if (!problem || problem.kind === "missing") return undefined;
  if (problem.kind !== "throttled") return texts[`error.${problem.kind}`];
  return `${texts["error.throttled"]} ${texts["error.throttled.wait"]} ${problem.wait}.`;
}

/**
 * The behaviour of the login form.
 * @returns its state, and the attributes of its element
 */
function useLoginForm({ answer, locale }: Pick<LoginProps, "answer" | "locale">) {
  const form = useRef<HTMLFormElement>(null);
  const [submitting, setSubmitting] = useState(false);
  const [problem, setProblem] = useState(answer?.problem);
  /** How many times the form was submitted with missing fields. */
  const [attempt, setAttempt] = useState(answer?.problem.kind === "missing" ? 1 : 0);
  useKnownEmail(form);
  useReturn(() => setSubmitting(false));

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (submitting) return;
    const { currentTarget } = event;
    const request = readRequest(currentTarget);
    const fields = loginFields.filter((field) => request[field] === "");
    if (fields.length > 0) return showFaults(fields);

    setSubmitting(true);
    setProblem(undefined);
    const outcome = await requestLogin(request);
    if (outcome.status === "SUCCESS") return leave();
    // Screen readers announce the message. For other visitors it is scrolled into view.
    flushSync(() => {
      setSubmitting(false);
      setProblem(problemOf(outcome, locale));
    });
    currentTarget.querySelector("[role=alert]")?.scrollIntoView({ block: "nearest" });
  }

  function showFaults(fields: LoginField[]) {
    setProblem({ kind: "missing", fields });
    setAttempt(attempt + 1);
  }

  return { attributes: { ref: form, onSubmit: submit }, submitting, problem, attempt };
}

function leave() {
  track({
    event: "login",
    subject: "webshop_account",
    origin: "login_page",
    type: "ga4",
    emitter: "login service",
  });
  followRedirect();
}

function problemOf(outcome: Exclude<LoginOutcome, { status: "SUCCESS" }>, locale: string): LoginProblem {
  if (outcome.status === "THROTTLED") return { kind: "throttled", wait: waitingTime(outcome.retryAfter, locale) };
  return { kind: outcome.status === "UNAUTHORIZED" ? "unauthorized" : "unavailable" };
}

function readRequest(form: HTMLFormElement): Required<LoginRequest> {
  const data = new FormData(form);
  return {
    email: String(data.get("email") ?? "").trim(),
    password: String(data.get("password") ?? ""),
    stayLoggedIn: data.has("stayLoggedIn"),
  };
}

/** Fills in the known e-mail address, unless the field is in use. */
function useKnownEmail(form: RefObject<HTMLFormElement | null>) {
  useEffect(() => {
    void fetchKnownEmail().then((known) => {
      const field = form.current?.elements.namedItem("email");
      if (!known || !(field instanceof HTMLInputElement)) return;
      if (field.value === "" && field !== document.activeElement) field.value = known;
    });
  }, [form]);
}

/** Redirects visitors who are signed in, also when the page returns from the back-forward cache. */
function useReturn(onReturn: () => void) {
  const look = useEffectEvent(() => {
    if (isSignedIn(readCookies(document.cookie).LoginToken)) followRedirect();
    else onReturn();
  });
  useEffect(() => {
    const show = ({ persisted }: PageTransitionEvent) => persisted && look();
    look();
    addEventListener("pageshow", show);
    return () => removeEventListener("pageshow", show);
  }, []);
}

/** Replaces the login page by the target of the visitor's redirect. */
function followRedirect(): void {
  const target = decode(readCookies(document.cookie)[redirectCookie]);
  // biome-ignore lint/suspicious/noDocumentCookie: not all supported browsers have the Cookie Store API
  document.cookie = `${redirectCookie}=; Path=/; Max-Age=0`;
  location.replace(safeRedirect(target, new URL(location.href)));
}

function decode(value: string | undefined): string | undefined {
  try {
    return value && decodeURIComponent(value);
  } catch {
    return undefined;
  }
}
