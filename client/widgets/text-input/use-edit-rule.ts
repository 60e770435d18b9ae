import { type Ref, type RefCallback, useCallback } from "react";
import { attachRef } from "./attach-ref.ts";
import type { EditRule } from "./edit-rule.ts";
import { watchEdits } from "./watch-edits.ts";

/**
 * Lets a rule decide on every edit of an input that React doesn't control.
 * @param ref - the caller's ref, which gets the element, too
 */
export function useEditRule(rule: EditRule, ref: Ref<HTMLInputElement> | undefined): RefCallback<HTMLInputElement> {
  return useCallback(
    (input: HTMLInputElement) => {
      const stop = watchEdits(input, rule);
      const release = attachRef(ref, input);
      return () => {
        stop();
        release();
      };
    },
    [rule, ref],
  );
}
