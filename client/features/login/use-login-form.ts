import { type RefObject, type SubmitEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { LoginRequest } from "../../../schemas/types.ts";
import { readCookies } from "../../host-page/read-cookies.ts";
import { track } from "../../host-page/track.ts";
import { type LoginField, type LoginProblem, type LoginProps, loginFields } from "../../rules/login-form.ts";
import { isSignedIn } from "../../rules/login-token.ts";
import { redirectCookie, safeRedirect } from "../../rules/safe-redirect.ts";
import { waitingTime } from "../../rules/waiting-time.ts";
import { fetchKnownEmail, type LoginOutcome, requestLogin } from "./login-service.ts";

/**
 * The behaviour of the login form.
 * @returns its state, and the attributes of its element
 */
export function useLoginForm({ answer, locale }: Pick<LoginProps, "answer" | "locale">) {
  const form = useRef<HTMLFormElement>(null);
  const [submitting, setSubmitting] = useState(false);
  const [problem, setProblem] = useState(answer?.problem);
  /** How often the form was submitted with missing fields. */
  const [attempt, setAttempt] = useState(answer?.problem.kind === "missing" ? 1 : 0);
  useKnownEmail(form);
  useReturn(() => setSubmitting(false));

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (submitting) return;
    const { currentTarget } = event;
    const request = readRequest(currentTarget);
    const fields = loginFields.filter((field) => request[field] === "");
    if (fields.length > 0) return complain(fields);

    setSubmitting(true);
    setProblem(undefined);
    const outcome = await requestLogin(request);
    if (outcome.status === "SUCCESS") return leave();
    // Screen readers announce the message by themselves; for other visitors it is scrolled into view.
    flushSync(() => {
      setSubmitting(false);
      setProblem(problemOf(outcome, locale));
    });
    currentTarget.querySelector("[role=alert]")?.scrollIntoView({ block: "nearest" });
  }

  function complain(fields: LoginField[]) {
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

/** Replaces the login page by the visitor's redirect target. */
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
