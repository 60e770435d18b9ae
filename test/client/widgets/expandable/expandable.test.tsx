import { describe, expect, it } from "vitest";
import { Expandable } from "../../../../client/widgets/expandable/Expandable.tsx";
import { ExpandableText } from "../../../../client/widgets/expandable/ExpandableText.tsx";
import { rendered } from "../rendered.ts";

describe("an expandable panel", () => {
  it("is a disclosure of the browser's own, closed unless it is asked to start open", () => {
    const closed = rendered(<Expandable summary="Delivery">Text</Expandable>);
    expect(closed("details > summary").text()).toBe("Delivery");
    expect(closed("details").attr("open")).toBeUndefined();
    const open = rendered(
      <Expandable summary="Delivery" open>
        Text
      </Expandable>,
    );
    expect(open("details").attr("open")).toBeDefined();
  });
});

describe("an expandable text", () => {
  it("has all of its text in front of the browser's own disclosure, which controls it without script", () => {
    const $ = rendered(
      <ExpandableText more="Show more" less="Show less">
        A long text
      </ExpandableText>,
    );
    expect($(".sf-expandable-frame + details:not([open]) > summary .sf-expandable-more").text()).toBe("Show more");
    expect($(".sf-expandable-frame").text()).toBe("A long text");
    expect($("button, [style], [hidden], [inert]")).toHaveLength(0);
  });
});
