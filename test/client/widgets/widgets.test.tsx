import { afterEach, describe, expect, it, vi } from "vitest";
import { iconCell } from "../../../client/icons/Icon.tsx";
import { Button } from "../../../client/widgets/button/Button.tsx";
import { IconButton } from "../../../client/widgets/icon-button/IconButton.tsx";
import { Modal } from "../../../client/widgets/modal/Modal.tsx";
import { Notification, notificationStates } from "../../../client/widgets/notification/Notification.tsx";
import { TextInput } from "../../../client/widgets/text-input/TextInput.tsx";
import { TextLink } from "../../../client/widgets/text-link/TextLink.tsx";
import { rendered } from "./rendered.ts";

const modal = { open: false, onClose: () => undefined, title: "Delivery", closeLabel: "Close", children: "Text" };

describe("a wrong value that arrives as data", () => {
  afterEach(() => void vi.mocked(console.warn).mockClear());

  it.each([
    // @ts-expect-error -- no size
    [<Modal key="1" {...modal} size="XL" />, { "data-size": "M" }],
    // @ts-expect-error -- neither a variant nor a state
    [<Notification key="1" label="K" variant="toast" state="fine" children="M" />, { "data-state": "info" }],
    // @ts-expect-error -- neither a type nor an alignment
    [<TextInput key="1" label="Label" type="colour" align="middle" />, { type: "text" }],
  ])("is replaced by the default, with one warning per value: %#", (element, attributes) => {
    const selector = Object.entries(attributes).map(([name, value]) => `[${name}="${value}"]`);
    expect(rendered(element)(selector.join(""))).not.toHaveLength(0);
    const warnings = vi.mocked(console.warn).mock.calls.flat();
    expect(warnings[0]).toMatch(/^[a-z ]+: "\w+" is none of [\w-]+, /);
    rendered(element);
    expect(vi.mocked(console.warn).mock.calls.flat()).toEqual(warnings);
  });
});

it("a button that is busy says so, and stays enabled to keep the focus", () => {
  const $ = rendered(<Button loading loadingLabel="Loading" children="Send" />);
  expect($("button").attr()).toMatchObject({ "aria-busy": "true", "aria-disabled": "true" });
  expect($("button").attr("disabled")).toBeUndefined();
  expect($("button :not([aria-hidden])").text()).toBe("SendLoading");
});

describe("a link", () => {
  const newTabHint = "opens in a new tab";

  it.each(["https://example.com/", "http://example.com/", "mailto:info@example.com"])(
    "opens a new tab without a referrer, and announces that: %s",
    (href) => {
      const $ = rendered(<TextLink href={href} newTabHint={newTabHint} children="Contact" />);
      expect($("a").attr()).toMatchObject({ href, target: "_blank", rel: "noopener noreferrer" });
      expect($("a").text()).toBe("Contact (opens in a new tab)");
    },
  );

  it("to a page of the site stays in the tab", () => {
    const $ = rendered(<IconButton href="/contact" newTabHint={newTabHint} icon="mail" label="Contact" />);
    expect($("a").attr("target")).toBeUndefined();
    expect($("a").text()).toBe("Contact");
  });

  it.each([
    [<Button key="1" href="/contact" disabled children="Contact" />],
    [<IconButton key="1" href="/contact" disabled icon="mail" label="Contact" />],
    [<TextLink key="1" href="https://example.com/" newTabHint={newTabHint} disabled children="Contact" />],
  ])("that is disabled is a plain disabled button: %#", (element) => {
    const $ = rendered(element);
    expect($("a")).toHaveLength(0);
    expect($("button").attr()).toMatchObject({ type: "button", disabled: "" });
    expect($("button").text()).toBe("Contact");
  });
});

describe("a notification", () => {
  it.for(notificationStates)("shows the state %s by an icon and a hidden word", (state) => {
    const $ = rendered(<Notification state={state} label="Kind" children="Message" />);
    expect($(".sf-icon").attr("data-icon")).toBe(iconCell(state));
    expect($(".sf-notification").text()).toBe("Kind: Message");
    expect($("[role], button")).toHaveLength(0);
  });

  it.for(["status", "alert"] as const)("with the role %s keeps its region without a message", (role) => {
    expect(rendered(<Notification role={role} label="Kind" />).html()).toBe(`<div role="${role}"></div>`);
    const filled = rendered(<Notification role={role} label="Kind" children="Message" />);
    expect(filled(`[role=${role}] .sf-notification`).text()).toBe("Kind: Message");
  });

  it("without a role and a message is empty; with one it can be closed", () => {
    expect(rendered(<Notification label="Kind" />).html()).toBe("");
    const close = { label: "Close message", onClick: () => undefined };
    expect(rendered(<Notification label="Kind" close={close} children="Message" />)("button").text()).toBe(
      "Close message",
    );
  });
});
