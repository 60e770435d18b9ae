import { type SubmitEvent, useId } from "react";
import texts from "../../locales/en/preview-panel.json";
import { Button } from "../widgets/button/Button.tsx";
import { DateInput } from "../widgets/date-input/DateInput.tsx";
import { TimeInput } from "../widgets/time-input/TimeInput.tsx";
import { MessageArea } from "./MessageArea.tsx";
import { messages } from "./settings-message.ts";
import { TestSettings } from "./TestSettings.tsx";
import { type SettingsProps, useSettings } from "./use-settings.ts";
import type { ZonedReading } from "./zoned-time.ts";

/** The moment and the group of an A/B test that staff preview the shop as. */
export function SettingsForm(props: SettingsProps) {
  const settings = useSettings(props);
  const { busy, message, reading } = settings;
  const groupId = useId();

  function submit(event: SubmitEvent) {
    event.preventDefault();
    if (!settings.isGroupMissing) return void settings.apply();
    settings.setMessage(messages.groupMissing);
    showField(groupId);
  }

  return (
    <form className="sf-preview-settings" noValidate onSubmit={submit}>
      <div className="sf-preview-moment">
        <DateInput
          label={texts.date}
          value={settings.date}
          onChange={(event) => settings.setDate(event.target.value)}
        />
        <TimeInput
          label={texts.time}
          value={settings.time}
          onChange={(event) => settings.setTime(event.target.value)}
        />
      </div>
      <p className="sf-preview-zone" aria-live="polite">
        {reading ? `${texts["time.zone"]} ${describeZone(reading, props.timeZone)}` : texts["date.hint"]}
        {reading?.irregular && <strong>{describeIrregular(reading)}</strong>}
      </p>
      <TestSettings {...settings} groupId={groupId} />
      <MessageArea state={message?.state ?? "info"} onDismiss={() => settings.setMessage(undefined)}>
        {message && (
          <>
            <span>{texts[message.text]}</span>{" "}
            {message.text === "apply.success" && <span>{texts["apply.shownOnClose"]}</span>}
          </>
        )}
      </MessageArea>
      <div className="sf-preview-buttons">
        <Button type="submit" width="full" loading={busy === "apply"}>
          {texts.apply}
        </Button>
        <Button variant="secondary" width="full" loading={busy === "logout"} onClick={settings.logOut}>
          {texts.logout}
        </Button>
      </div>
    </form>
  );
}

/** Focuses a field, also one in a panel that is closed. */
function showField(id: string) {
  const field = document.getElementById(id);
  const panel = field?.closest("details");
  if (panel) panel.open = true;
  field?.focus();
}

/** Such as Europe/Berlin (UTC+01:00). */
function describeZone({ instant }: ZonedReading, timeZone: string): string {
  return `${timeZone} (UTC${instant.toZonedDateTimeISO(timeZone).offset})`;
}

function describeIrregular({ irregular, time }: ZonedReading): string {
  return irregular === "skipped" ? ` ${texts["time.skipped"]} ${time}.` : ` ${texts["time.repeated"]}`;
}
