import texts from "../../locales/en/preview-panel.json";
import { IconSprite } from "../icons/IconSprite.tsx";
import { CheckFailed } from "./CheckFailed.tsx";
import { PreviewBar } from "./PreviewBar.tsx";
import { usePreviewSession } from "./use-preview-session.ts";

export interface PreviewPanelProps {
  /** Code of the site that is previewed. */
  site: string;
  /** The site's locale, in which changes of the shop are named. */
  locale: string;
  /** The site's time zone: a name of the IANA database. */
  timeZone: string;
  /** Address of the icon sprite. */
  sprite: string;
}

/** The panel by which staff choose what they preview. It is empty until the service says that they are signed in. */
export function PreviewPanel({ site, locale, timeZone, sprite }: PreviewPanelProps) {
  const { session, check, signOut } = usePreviewSession();
  return (
    <IconSprite url={sprite}>
      {session.status === "failed" && <CheckFailed {...session} />}
      {session.status === "signedIn" && (
        <section aria-label={texts.region}>
          <PreviewBar
            state={session.state}
            site={site}
            locale={locale}
            timeZone={timeZone}
            onApply={check}
            onLogOut={signOut}
          />
        </section>
      )}
    </IconSprite>
  );
}
