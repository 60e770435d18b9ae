import { Fragment } from "react";
import texts from "../../locales/en/preview-panel.json";
import { fetchAbTests } from "../services/fetch-ab-tests.ts";
import type { GroupChoice, PreviewState, ShopChange } from "../services/preview-service.ts";
import { Button } from "../widgets/button/Button.tsx";
import { describeTime } from "./describe-time.ts";
import { useShopChanges } from "./use-shop-changes.ts";

interface ChangeButtonsProps {
  site: string;
  locale: string;
  state: PreviewState;
  timeZone: string;
  onChoose: (dateTime: Temporal.Instant, selection: GroupChoice) => void;
}

const directions = [
  { direction: "previous", icon: "chevron-left" },
  { direction: "next", icon: "chevron-right" },
] as const;

/** Lead staff to the last moment before and the first after the previewed one at which the shop changes. */
export function ChangeButtons({ site, locale, state, timeZone, onChoose }: ChangeButtonsProps) {
  const changes = useShopChanges(site, state);
  return directions.map(({ direction, icon }) => {
    const change = changes[direction];
    if (!change) return null;
    return (
      <Button
        key={direction}
        size="small"
        variant="secondary"
        icon={icon}
        onClick={async () => onChoose(change.dateTime, await keepSelection(state, change.dateTime))}
      >
        <span className="sf-visually-hidden">{texts[`change.${direction}`]}: </span>
        <span className="sf-preview-change">{describeTime(change.dateTime, timeZone)} </span>
        <ChangeNames change={change} locale={locale} />
      </Button>
    );
  });
}

/** Names what changes as the shop does, in its language, which isn't that of the panel. */
function ChangeNames({ change: { changes }, locale }: { change: ShopChange; locale: string }) {
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

/** Keeps the group if its test is active at the other moment. Where that isn't known, the service decides. */
async function keepSelection({ test, group }: PreviewState, at: Temporal.Instant): Promise<GroupChoice> {
  const tests = test ? await fetchAbTests(at) : [];
  const ends = tests && !tests.some(({ name, groups }) => name === test && groups.includes(group));
  return ends ? { test: "", group: "" } : { test, group };
}
