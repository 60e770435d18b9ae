import { afterEach, describe, expect, it, vi } from "vitest";
import { Banderole } from "../../../client/widgets/banderole/Banderole.tsx";
import { Button } from "../../../client/widgets/button/Button.tsx";
import { IconButton } from "../../../client/widgets/icon-button/IconButton.tsx";
import { Modal } from "../../../client/widgets/modal/Modal.tsx";
import { Notification, notificationStates } from "../../../client/widgets/notification/Notification.tsx";
import { Salutation } from "../../../client/widgets/salutation/Salutation.tsx";
import { TextInput } from "../../../client/widgets/text-input/TextInput.tsx";
import { TextLink } from "../../../client/widgets/text-link/TextLink.tsx";
import { rendered, texts } from "./rendered.ts";

const modal = { open: false, onClose: () => undefined, title: "Delivery", closeLabel: "Close", children: "Text" };

describe("a wrong value that arrives as data", () => {
  afterEach(() => void vi.mocked(console.warn).mockClear());

  it.each([
    // @ts-expect-error -- no variant
    [<Banderole key="1" discount="10 %" text="Voucher" variant="confetti" />, { "data-variant": "default" }],
    // @ts-expect-error -- neither a variant nor a size
    [<IconButton key="1" icon="user" label="A" variant="loud" size="huge" />, { "data-variant": "primary-default" }],
    // @ts-expect-error -- no size
    [<Modal key="1" {...modal} size="XL" />, { "data-size": "M" }],
    // @ts-expect-error -- neither a variant nor a state
    [<Notification key="1" label="K" variant="toast" state="fine" children="M" />, { "data-state": "info" }],
    // @ts-expect-error -- no variant
    [<TextLink key="1" href="/" variant="loud" children="T" />, { "data-variant": "primary" }],
    // @ts-expect-error -- neither a type nor an alignment
    [<TextInput key="1" label="Label" type="colour" align="middle" />, { type: "text" }],
    // @ts-expect-error -- no variant
    [<Salutation key="1" texts={texts} as="dropdown" />, { role: "radiogroup" }],
  ])("is replaced by the default, with one warning per value: %#", (element, attributes) => {
    const selector = Object.entries(attributes).map(([name, value]) => `[${name}="${value}"]`);
    expect(rendered(element)(selector.join(""))).not.toHaveLength(0);
    const warnings = vi.mocked(console.warn).mock.calls.flat();
    expect(warnings[0]).toMatch(/^[a-z ]+: "\w+" is none of [\w-]+, /);
    rendered(element);
    expect(vi.mocked(console.warn).mock.calls.flat()).toEqual(warnings);
  });
});

describe.each<[string, (props: { href?: string; newTabHint?: string; disabled?: boolean }) => React.ReactElement]>([
  ["a button", (props) => <Button {...props}>Contact</Button>],
  ["an icon button", (props) => <IconButton icon="mail" label="Contact" {...props} />],
  ["a text link", ({ href = "/", ...props }) => <TextLink href={href} {...props} children="Contact" />],
])("%s", (_name, link) => {
  const newTabHint = "opens in a new tab";

  it.each(["https://example.com/", "http://example.com/", "mailto:info@example.com"])(
    "opens a new tab without a referrer, and announces that: %s",
    (href) => {
      const $ = rendered(link({ href, newTabHint }));
      expect($("a").attr()).toMatchObject({ href, target: "_blank", rel: "noopener noreferrer" });
      expect($("a").text()).toBe("Contact (opens in a new tab)");
    },
  );

  it("to a page of the site stays in the tab", () => {
    const $ = rendered(link({ href: "/contact", newTabHint }));
    expect($("a").attr("target")).toBeUndefined();
    expect($("a").text()).toBe("Contact");
  });

  it.each(["/contact", "https://example.com/"])("to %s that is disabled is a plain disabled button", (href) => {
    const $ = rendered(link({ href, newTabHint, disabled: true }));
    expect($("a")).toHaveLength(0);
    expect($("button").attr()).toMatchObject({ type: "button", disabled: "" });
    expect($("button").text()).toBe("Contact");
  });
});

it("a modal is closed in the server's markup", () => {
  expect(rendered(<Modal {...modal} open />)("dialog").attr("open")).toBeUndefined();
});

describe("a notification", () => {
  it.for(notificationStates)("shows the state %s by an icon and a hidden word", (state) => {
    const $ = rendered(<Notification state={state} label="Kind" children="Message" />);
    expect($("use").attr("href")).toBe(`#${state}`);
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
