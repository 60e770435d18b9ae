import { Fragment, useEffect, useState } from "react";
import texts from "../../../locales/en/preview-panel.json";
import { Button } from "../../widgets/button/Button.tsx";
import {
  fetchAbTests,
  fetchChanges,
  type GroupChoice,
  type PreviewState,
  type ShopChanges,
} from "./preview-service.ts";
import { describeTime } from "./zoned-time.ts";

interface ChangeButtonsProps {
  site: string;
  locale: string;
  state: PreviewState;
  timeZone: string;
  /** @param select - finds the group that stays selected */
  onChoose: (dateTime: Temporal.Instant, select: () => Promise<GroupChoice>) => void;
}

const directions = [
  { direction: "previous", icon: "chevron-left" },
  { direction: "next", icon: "chevron-right" },
] as const;

/** Buttons that lead to the last change of the shop before the previewed moment, and to the first one after it. */
export function ChangeButtons({ site, locale, state, timeZone, onChoose }: ChangeButtonsProps) {
  const [changes, setChanges] = useState<ShopChanges>({ previous: undefined, next: undefined });
  const time = state.dateTime.toString();
  useEffect(() => {
    let current = true;
    void fetchChanges(site, Temporal.Instant.from(time)).then((found) => current && setChanges(found));
    return () => {
      current = false;
    };
  }, [site, time]);

  return directions.map(({ direction, icon }) => {
    const change = changes[direction];
    if (!change) return null;
    return (
      <Button
        key={direction}
        size="small"
        variant="secondary"
        icon={icon}
        onClick={() => onChoose(change.dateTime, () => keepSelection(state, change.dateTime))}
      >
        <span className="sf-preview-direction">{texts[`change.${direction}`]}</span>
        <span className="sf-preview-change">{describeTime(change.dateTime, timeZone)} </span>
        <ChangeNames change={change} locale={locale} />
      </Button>
    );
  });
}

/** Lists the changes. They are in the shop's language, which may differ from the panel's. */
function ChangeNames({ change: { changes }, locale }: { change: NonNullable<ShopChanges["next"]>; locale: string }) {
  return (
    <span className="sf-preview-change">
      {changes.map(({ name, change }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two of them may have one name, and none moves
        <Fragment key={index}>
          {index > 0 && ", "}
          <span lang={locale}>{name}</span> {texts[`change.${change}`]}
        </Fragment>
      ))}
    </span>
  );
}

/** Keeps the group if its test is active at the other moment. If that is unknown, the service decides. */
async function keepSelection({ test, group }: PreviewState, at: Temporal.Instant): Promise<GroupChoice> {
  const tests = test ? await fetchAbTests(at) : [];
  const ends = tests && !tests.some(({ name, groups }) => name === test && groups.includes(group));
  return ends ? { test: "", group: "" } : { test, group };
}
