import { useId } from "react";
import { IconSprite } from "../../icons/Icon.tsx";
import type { LoginField, LoginProblem, LoginProps } from "../../rules/login-form.ts";
import { Button } from "../../widgets/button/Button.tsx";
import { Checkbox } from "../../widgets/checkbox/Checkbox.tsx";
import { ErrorSummary } from "../../widgets/error-summary/ErrorSummary.tsx";
import { Notification } from "../../widgets/notification/Notification.tsx";
import { EmailInput } from "../../widgets/text-input/EmailInput.tsx";
import { PasswordInput } from "../../widgets/text-input/PasswordInput.tsx";
import { TextLink } from "../../widgets/text-link/TextLink.tsx";
import { UnbrokenWords } from "../../widgets/UnbrokenWords.tsx";
import { useHydrated } from "../../widgets/use-hydrated.ts";
import { useLoginForm } from "./use-login-form.ts";

/** The maximum length of a field in the login service, in characters. */
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
    <IconSprite url={props.sprite}>
      <form
        {...attributes}
        className="sf-login"
        action="/login"
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
    </IconSprite>
  );
}

/** The message above the form; undefined for missing fields, which have their own messages. */
function messageOf(problem: LoginProblem | undefined, texts: LoginProps["texts"]): string | undefined {
  if (!problem || problem.kind === "missing") return undefined;
  if (problem.kind !== "throttled") return texts[`error.${problem.kind}`];
  return `${texts["error.throttled"]} ${texts["error.throttled.wait"]} ${problem.wait}.`;
}
