import { useState } from "react";
import texts from "../../locales/en/preview-panel.json";
import type { AbTestOffer } from "../services/fetch-ab-tests.ts";
import { Expandable } from "../widgets/expandable/Expandable.tsx";
import { Select } from "../widgets/select/Select.tsx";
import { none } from "./use-settings.ts";

interface TestSettingsProps {
  /** The A/B tests that are active at the chosen moment. */
  tests: readonly AbTestOffer[];
  /** The chosen test. */
  test: AbTestOffer | undefined;
  /** What the list of tests shows: a test, None, or the placeholder. */
  name: string;
  group: string;
  groupId: string;
  isGroupMissing: boolean;
  setName: (name: string) => void;
  setGroup: (group: string) => void;
}

/** Lets staff choose an A/B test, and the group of it that they see the shop as. */
export function TestSettings({ tests, test, name, group, groupId, isGroupMissing, ...set }: TestSettingsProps) {
  const [startsOpen] = useState(name !== "");
  return (
    <Expandable summary={texts.tests} open={startsOpen}>
      <div className="sf-preview-tests">
        <Select
          name="test"
          label={texts["tests.name"]}
          placeholder={texts["tests.namePlaceholder"]}
          entries={[{ name: none, text: texts["tests.none"], value: none }, ...tests.map(entryOf)]}
          value={name}
          onChange={set.setName}
        />
        <Select
          id={groupId}
          name="group"
          label={texts["tests.group"]}
          placeholder={texts["tests.groupPlaceholder"]}
          entries={test ? test.groups.map((offered) => entryOf({ name: offered })) : []}
          value={group}
          disabled={!test}
          error={isGroupMissing ? texts["tests.required"] : undefined}
          onChange={set.setGroup}
        />
      </div>
    </Expandable>
  );
}

function entryOf({ name }: { name: string }) {
  return { name, text: name, value: name };
}
