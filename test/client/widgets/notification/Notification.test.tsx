import { describe, expect, it, vi } from "vitest";
import {
  Notification,
  notificationStates,
  notificationVariants,
} from "../../../../client/widgets/notification/Notification.tsx";
import { rendered } from "../rendered.ts";

describe("a notification", () => {
  describe.for(notificationVariants)("%s", (variant) => {
    it.for(notificationStates)("shows the state %s by an icon and says it in a word", (state) => {
      const $ = rendered(
        <Notification variant={variant} state={state} label="Kind">
          Message
        </Notification>,
      );
      expect($(".sf-notification").attr()).toMatchObject({ "data-variant": variant, "data-state": state });
      expect($("use").attr("href")).toBe(`#${state}`);
      expect($(".sf-notification").text()).toBe("Kind: Message");
      expect($("[role], button")).toHaveLength(0);
    });
  });

  it.for(["status", "alert"] as const)("with the role %s keeps its region when there is no message", (role) => {
    const empty = rendered(<Notification role={role} label="Kind" />);
    expect(empty.html()).toBe(`<div role="${role}"></div>`);
    const filled = rendered(
      <Notification role={role} label="Kind">
        Message
      </Notification>,
    );
    expect(filled(`[role=${role}] .sf-notification`).text()).toBe("Kind: Message");
  });

  it("without a role and a message renders nothing", () => {
    expect(rendered(<Notification label="Kind" />).html()).toBe("");
  });

  it("can be closed by a named button", () => {
    const $ = rendered(
      <Notification label="Kind" close={{ label: "Close message", onClick: () => undefined }}>
        Message
      </Notification>,
    );
    expect($("button").text()).toBe("Close message");
  });

  it("falls back to the default for a wrong value, and warns once", () => {
    const wrong = (
      // @ts-expect-error -- neither a variant nor a state
      <Notification label="Kind" variant="toast" state="fine">
        Message
      </Notification>
    );
    const $ = rendered(
      <>
        {wrong}
        {wrong}
      </>,
    );
    expect($(".sf-notification").attr()).toMatchObject({ "data-variant": "banner", "data-state": "info" });
    expect(vi.mocked(console.warn).mock.calls.flat()).toEqual([
      'notification variant: "toast" is none of banner, copysize, footnotesize',
      'notification state: "fine" is none of info, success, error, warning',
    ]);
    vi.mocked(console.warn).mockClear();
  });
});
