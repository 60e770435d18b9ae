import { type SubmitEvent, useId, useState } from "react";
import texts from "../../../locales/en/preview-panel.json";
import { Button } from "../../widgets/button/Button.tsx";
import { DateInput } from "../../widgets/date-input/DateInput.tsx";
import { Expandable } from "../../widgets/expandable/Expandable.tsx";
import { Select } from "../../widgets/select/Select.tsx";
import { TimeInput } from "../../widgets/time-input/TimeInput.tsx";
import { MessageArea } from "./MessageArea.tsx";
import { none, type SettingsProps, useSettings } from "./use-settings.ts";
import type { ZonedReading } from "./zoned-time.ts";

/** Selects the previewed moment and the group of an A/B test. */
export function SettingsForm(props: SettingsProps) {
  const settings = useSettings(props);
  const { busy, message, reading, tests, test, isGroupMissing } = settings;
  const [startsOpen] = useState(settings.name !== "");
  const groupId = useId();

  function submit(event: SubmitEvent) {
    event.preventDefault();
    void settings.apply();
    if (isGroupMissing) showField(groupId);
  }

  return (
    <form className="sf-preview-settings" noValidate onSubmit={submit}>
      <p className="sf-preview-zone">{texts.covers}</p>
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
      <Expandable summary={texts.tests} open={startsOpen}>
        <div className="sf-preview-tests">
          <Select
            name="test"
            label={texts["tests.name"]}
            placeholder={texts["tests.namePlaceholder"]}
            entries={[
              { name: none, text: texts["tests.none"], value: none },
              ...tests.map(({ name }) => entryOf(name)),
            ]}
            value={settings.name}
            onChange={settings.setName}
          />
          <Select
            id={groupId}
            name="group"
            label={texts["tests.group"]}
            placeholder={texts["tests.groupPlaceholder"]}
            entries={test ? test.groups.map(entryOf) : []}
            value={settings.group}
            disabled={!test}
            error={isGroupMissing ? texts["tests.required"] : undefined}
            onChange={settings.setGroup}
          />
        </div>
      </Expandable>
      <MessageArea state={message?.state ?? "info"} onDismiss={() => settings.dismissMessage()}>
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

/** Moves the focus to a field, even if its panel is closed. */
function showField(id: string) {
  const field = document.getElementById(id);
  const panel = field?.closest("details");
  if (panel) panel.open = true;
  field?.focus();
}

/** Formats a time zone, such as Europe/Berlin (UTC+01:00). */
function describeZone({ instant }: ZonedReading, timeZone: string): string {
  return `${timeZone} (UTC${instant.toZonedDateTimeISO(timeZone).offset})`;
}

function describeIrregular({ irregular, time }: ZonedReading): string {
  return irregular === "skipped" ? ` ${texts["time.skipped"]} ${time}.` : ` ${texts["time.repeated"]}`;
}

function entryOf(name: string) {
  return { name, text: name, value: name };
}
