import { useEffect, useEffectEvent, useState } from "react";
import { type AbTestOffer, fetchAbTests, logOutStaff, type PreviewState, setPreview } from "./preview-service.ts";
import { readZonedTime, writeZonedTime } from "./zoned-time.ts";

export interface SettingsProps {
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
export const none = "(none)";

/** The behaviour of the preview settings: the entered values, the active A/B tests, the result of an action. */
export function useSettings({ state, timeZone, onApply, onLogOut }: SettingsProps) {
  const [moment, setMoment] = useState(() => writeZonedTime(state.dateTime, timeZone));
  /** The chosen entry of the list: a test's name, `none`, or empty for the placeholder. */
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
    // Keeps the message of another action that has ended in the meantime.
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

  /** A new selection hasn't been applied yet. */
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
    if (!reading) console.error(`"${date}" isn't a date as YYYY-MM-DD: the preview shows the current time.`);
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

/** The entries of the lists before the service has answered: the current test with its group. */
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
