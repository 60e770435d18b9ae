import { Button } from "../../widgets/button/Button.tsx";
import { Notification } from "../../widgets/notification/Notification.tsx";
import { EmailInput } from "../../widgets/text-input/EmailInput.tsx";
import { PasswordInput } from "../../widgets/text-input/PasswordInput.tsx";
import { ShopPage, type ShopPageProps } from "../ShopPage.tsx";

interface StaffLoginPageProps extends ShopPageProps {
  introduction: string;
  labels: { user: string; password: string; button: string };
  /** The user name of the failed attempt; empty at first. */
  user: string;
  /** The token of the shared link that is opened after the sign-in. */
  share?: string | undefined;
  /** Why the sign-in or the link has failed; the label names the kind of message. */
  error?: { label: string; text: string };
}

/** The login page of staff. */
export function StaffLoginPage({ introduction, labels, user, share, error, ...page }: StaffLoginPageProps) {
  return (
    <ShopPage {...page}>
      <section className="sf-message">
        <h1>{page.title}</h1>
        <p>{introduction}</p>
        <form className="sf-staff-login" method="post" action="/preview">
          {error && (
            <Notification state="error" label={error.label}>
              {error.text}
            </Notification>
          )}
          {share !== undefined && <input type="hidden" name="share" value={share} />}
          <EmailInput
            label={labels.user}
            name="user"
            defaultValue={user}
            autoComplete="username"
            maxLength={256}
            required
          />
          <PasswordInput label={labels.password} name="password" maxLength={256} required />
          <Button type="submit" size="large">
            {labels.button}
          </Button>
        </form>
      </section>
    </ShopPage>
  );
}
