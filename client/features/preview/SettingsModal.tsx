import { type SubmitEvent, useEffect, useEffectEvent, useId, useState } from "react";
import texts from "../../../locales/en/preview-panel.json";
import { Button } from "../../widgets/button/Button.tsx";
import { DateInput } from "../../widgets/date-input/DateInput.tsx";
import { Expandable } from "../../widgets/expandable/Expandable.tsx";
import { Modal } from "../../widgets/modal/Modal.tsx";
import { Select } from "../../widgets/select/Select.tsx";
import { TimeInput } from "../../widgets/time-input/TimeInput.tsx";
import { MessageArea } from "./MessageArea.tsx";
import { type AbTestOffer, fetchAbTests, logOutStaff, type PreviewState, setPreview } from "./preview-service.ts";
import { readZonedTime, writeZonedTime, type ZonedReading } from "./zoned-time.ts";

interface SettingsProps {
  /** The current preview. */
  state: PreviewState;
  /** The site's time zone: a name of the IANA database. */
  timeZone: string;
  /** Called when the preview has changed. */
  onApply: () => void;
  /** Called when staff have logged out. */
  onLogOut: () => void;
}

/** Value of the entry that stands for no A/B test; no test has such a name. */
const none = "(none)";

/** The dialog in which staff select what to preview. Closing it reloads the page if the preview has changed. */
export function SettingsModal({ onClose, onApply, ...props }: SettingsProps & { onClose: () => void }) {
  const [applied, setApplied] = useState(false);
  return (
    <Modal
      size="S"
      title={texts.settings}
      closeLabel={texts.close}
      open
      onClose={() => {
        onClose();
        if (applied) location.reload();
      }}
    >
      <SettingsForm
        {...props}
        onApply={() => {
          setApplied(true);
          onApply();
        }}
      />
    </Modal>
  );
}

/** Selects the previewed moment and the group of an A/B test. */
function SettingsForm(props: SettingsProps) {
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

/** Focuses a field, also in a closed panel. */
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

function entryOf(name: string) {
  return { name, text: name, value: name };
}

/** The behaviour of the preview settings: the entered values, the active A/B tests, the result of an action. */
function useSettings({ state, timeZone, onApply, onLogOut }: SettingsProps) {
  const [moment, setMoment] = useState(() => writeZonedTime(state.dateTime, timeZone));
  /** The chosen entry of the list: a test's name, `none`, or the empty text of the placeholder. */
  const [name, setName] = useState(state.test);
  const [group, setGroup] = useState(state.group);
  const [tests, setTests] = useState<AbTestOffer[]>(() => testsOf(state));
  const [message, setMessage] = useState<SettingsMessage | undefined>();
  const [busy, setBusy] = useState<"apply" | "logout">();
  const { date, time } = moment;
  const reading = readZonedTime(date, time, timeZone);
  const test = tests.find((offered) => offered.name === name);
  const isGroupMissing = test !== undefined && group === "";

  const loadTests = useEffectEvent(async (isWanted: () => boolean) => {
    setMessage(messages.loadingTests);
    const found = await fetchAbTests(reading?.instant ?? Temporal.Now.instant());
    if (!isWanted()) return;
    setTests(found ?? []);
    const outcome = messages[!found ? "testsFailed" : found.length > 0 ? "testsFound" : "noTests"];
    // Keep a message of another action that has ended meanwhile.
    setMessage((said) => (said && said !== messages.loadingTests ? said : outcome));
    const still = found?.find((offered) => offered.name === name);
    if (!still && name !== none) setName("");
    if (!still?.groups.includes(group)) setGroup("");
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: another date or time has other tests
  useEffect(() => {
    let isLatest = true;
    void loadTests(() => isLatest);
    return () => {
      isLatest = false;
    };
  }, [date, time]);

  /** A new selection isn't the applied one. */
  function forgetApplied() {
    setMessage((said) => (said === messages.applied ? undefined : said));
  }

  async function run(action: "apply" | "logout", call: () => Promise<string>, failure: SettingsMessage) {
    if (busy) return false;
    setBusy(action);
    setMessage(messages.loading);
    const isDone = (await call()) === "SUCCESS";
    setBusy(undefined);
    if (!isDone) setMessage(failure);
    return isDone;
  }

  async function apply() {
    if (isGroupMissing) return setMessage(messages.groupMissing);
    // biome-ignore lint/suspicious/noConsole: tells staff why another time is shown than they may think
    if (!reading) console.error(`"${date}" is no date as YYYY-MM-DD: the preview shows the current time.`);
    const { instant } = reading ?? { instant: Temporal.Now.instant() };
    const selection = { test: test?.name ?? "", group: test ? group : "" };
    if (!(await run("apply", () => setPreview(instant.toString(), selection), messages.applyFailed))) return;
    setMessage(messages.applied);
    onApply();
  }

  return {
    date,
    time,
    reading,
    tests,
    test,
    name,
    group,
    message,
    busy,
    apply,
    setGroup(chosen: string) {
      setGroup(chosen);
      forgetApplied();
    },
    dismissMessage: () => setMessage(undefined),
    isGroupMissing,
    setTime: (chosen: string) => setMoment({ date, time: chosen }),
    setDate(chosen: string) {
      setMoment({ date: chosen, time });
      setGroup("");
    },
    setName(chosen: string) {
      setName(chosen);
      setGroup("");
      forgetApplied();
    },
    async logOut() {
      if (await run("logout", logOutStaff, messages.logoutFailed)) onLogOut();
    },
  };
}

/** The entries of the lists until the service has answered: the current group. */
function testsOf({ test, group }: PreviewState): AbTestOffer[] {
  return test ? [{ name: test, groups: [group] }] : [];
}

/** A message of the settings: the key of its text, and its kind. */
type SettingsMessage = (typeof messages)[keyof typeof messages];

const messages = {
  loadingTests: { state: "info", text: "tests.loading" },
  testsFound: { state: "success", text: "tests.found" },
  noTests: { state: "info", text: "tests.empty" },
  testsFailed: { state: "error", text: "tests.failed" },
  groupMissing: { state: "error", text: "apply.groupMissing" },
  loading: { state: "info", text: "apply.loading" },
  applied: { state: "success", text: "apply.success" },
  applyFailed: { state: "error", text: "apply.failed" },
  logoutFailed: { state: "error", text: "logout.failed" },
} as const;
