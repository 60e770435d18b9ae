import { useId } from "react";
import { Button } from "../../widgets/button/Button.tsx";
import { Notification } from "../../widgets/notification/Notification.tsx";
import { EmailInput } from "../../widgets/text-input/EmailInput.tsx";
import { PasswordInput, type RevealTexts } from "../../widgets/text-input/PasswordInput.tsx";
import { UnbrokenWords } from "../../widgets/UnbrokenWords.tsx";

export interface StaffLoginProps {
  texts: Record<"title" | "introduction" | "user" | "password" | "button", string>;
  reveal: RevealTexts;
  /** The user name of the failed attempt; empty at first. */
  user: string;
  /** The token of the shared link that is opened after the sign-in. */
  share?: string | undefined;
  /** Why the sign-in or the link has failed. The label names the kind of message. */
  error?: { label: string; text: string } | undefined;
}

/** The login form of staff. It works without script, which only reveals the password. */
export function StaffLoginForm({ texts, reveal, user, share, error }: StaffLoginProps) {
  const titleId = useId();
  return (
    <form className="sf-login" method="post" action="/preview" aria-labelledby={titleId}>
      <h1 id={titleId}>{texts.title}</h1>
      <p>
        <UnbrokenWords text={texts.introduction} />
      </p>
      {error && (
        <Notification role="alert" state="error" label={error.label}>
          <UnbrokenWords text={error.text} />
        </Notification>
      )}
      {share !== undefined && <input type="hidden" name="share" value={share} />}
      <EmailInput label={texts.user} name="user" defaultValue={user} autoComplete="username" maxLength={256} required />
      <PasswordInput label={texts.password} name="password" reveal={reveal} maxLength={256} required />
      <Button type="submit" width="full">
        {texts.button}
      </Button>
    </form>
  );
}
