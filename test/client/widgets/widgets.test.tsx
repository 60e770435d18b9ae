import { afterEach, describe, expect, it, vi } from "vitest";
import { Banderole } from "../../../client/widgets/banderole/Banderole.tsx";
import { Button } from "../../../client/widgets/button/Button.tsx";
import { Expandable } from "../../../client/widgets/expandable/Expandable.tsx";
import { ExpandableText } from "../../../client/widgets/expandable/ExpandableText.tsx";
import { IconButton } from "../../../client/widgets/icon-button/IconButton.tsx";
import { Modal, modalSizes } from "../../../client/widgets/modal/Modal.tsx";
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

describe("the defaults", () => {
  it("of an icon button are primary and large; its icon is hidden from screen readers", () => {
    const $ = rendered(<IconButton icon="close" label="Close" />);
    expect($("button").attr()).toMatchObject({ "data-variant": "primary-default", "data-size": "large" });
    expect($("svg").attr("aria-hidden")).toBe("true");
    expect($("use").attr("href")).toBe("#close");
  });

  it("of a text link are primary, medium and the icon link-up after the text", () => {
    const $ = rendered(<TextLink href="/delivery">Delivery</TextLink>);
    expect($("a").attr()).toMatchObject({ "data-variant": "primary", "data-size": "medium", "data-icon": "appended" });
    expect($("a").children().last().find("use").attr("href")).toBe("#link-up");
  });

  it("of a banderole are a strip without a picture", () => {
    const $ = rendered(<Banderole discount="10 %" text="Welcome voucher" />);
    expect($(".sf-banderole").attr("data-variant")).toBe("default");
    expect($(".sf-banderole").children()).toHaveLength(1);
    expect($("p").text()).toBe("10 % Welcome voucher");
  });
});

it("a text link takes its icon before the text, or none", () => {
  const before = rendered(<TextLink href="/" icon="mail" iconPosition="prepended" children="Contact" />);
  expect(before("a").children().first().find("use").attr("href")).toBe("#mail");
  expect(rendered(<TextLink href="/" iconPosition="none" children="Contact" />)("svg")).toHaveLength(0);
});

describe("a panel and a long text", () => {
  it("are the browser's own disclosures", () => {
    expect(rendered(<Expandable summary="Delivery">Text</Expandable>)("details:not([open]) > summary").text()).toBe(
      "Delivery",
    );
    expect(rendered(<Expandable summary="Delivery" open children="Text" />)("details[open]")).toHaveLength(1);
    const $ = rendered(<ExpandableText more="Show more" less="Show less" children="A long text" />);
    expect($(".sf-expandable-frame + details:not([open]) > summary .sf-expandable-more").text()).toBe("Show more");
    expect($(".sf-expandable-frame").text()).toBe("A long text");
  });
});

describe("a modal", () => {
  it.for(modalSizes)("of size %s is named by its heading, and has a named close button", (size) => {
    const $ = rendered(<Modal {...modal} size={size} />);
    expect($("dialog").attr("data-size")).toBe(size);
    expect($(`#${$("dialog").attr("aria-labelledby")}`).text()).toBe("Delivery");
    expect($("button").text()).toBe("Close");
  });

  it("is closed in the server's markup", () => {
    expect(rendered(<Modal {...modal} open />)("dialog").attr("open")).toBeUndefined();
  });
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
