import { type RefObject, type SubmitEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { LoginRequest } from "../../schemas/types.ts";
import { readCookies } from "../host-page/read-cookies.ts";
import { track } from "../host-page/track.ts";
import { isSignedIn } from "../rules/is-signed-in.ts";
import { waitingTime } from "../rules/waiting-time.ts";
import { fetchKnownEmail } from "../services/fetch-known-email.ts";
import { type LoginOutcome, requestLogin } from "../services/request-login.ts";
import { followRedirect } from "./follow-redirect.ts";
import { type LoginField, type LoginProblem, type LoginProps, loginFields } from "./login-props.ts";

/**
 * Gives the login form its behaviour.
 * @returns its state, and the attributes of its element
 */
export function useLoginForm({ answer, locale }: Pick<LoginProps, "answer" | "locale">) {
  const form = useRef<HTMLFormElement>(null);
  const [submitting, setSubmitting] = useState(false);
  const [problem, setProblem] = useState(answer?.problem);
  /** How often the form was sent with fields missing. */
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
    // Screen readers say the message by themselves; for everybody else it is scrolled into view.
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

/** Fills in the address that the shop knows, unless the field is in use. */
function useKnownEmail(form: RefObject<HTMLFormElement | null>) {
  useEffect(() => {
    void fetchKnownEmail().then((known) => {
      const field = form.current?.elements.namedItem("email");
      if (!known || !(field instanceof HTMLInputElement)) return;
      if (field.value === "" && field !== document.activeElement) field.value = known;
    });
  }, [form]);
}

/** Leads visitors on who are signed in already, also when the page comes back from the back-forward cache. */
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
