import { describe, expect, it, vi } from "vitest";
import { IconButton } from "../../../../client/widgets/icon-button/IconButton.tsx";
import { rendered } from "../rendered.ts";

describe("an icon button", () => {
  it("is a large primary-default button named by its label", () => {
    const $ = rendered(<IconButton icon="close" label="Close" />);
    expect($("button").attr()).toEqual({
      class: "sf-icon-button",
      "data-variant": "primary-default",
      "data-size": "large",
      type: "button",
    });
    expect($("button").text()).toBe("Close");
    expect($("svg").attr("aria-hidden")).toBe("true");
    expect($("use").attr("href")).toBe("#close");
  });

  it("with an address is a link; an external one opens a new tab without a referrer", () => {
    const own = rendered(<IconButton icon="user" label="Account" href="/account" newTabHint="new tab" />);
    expect(own("a").attr()).toMatchObject({ href: "/account" });
    expect(own("a").attr("target")).toBeUndefined();
    expect(own("a").text()).toBe("Account");
    const $ = rendered(
      <IconButton icon="instagram" label="Instagram" href="https://example.com/" newTabHint="new tab" />,
    );
    expect($("a").attr()).toMatchObject({ target: "_blank", rel: "noopener noreferrer" });
    expect($("a").text()).toBe("Instagram (new tab)");
  });

  it.each([{}, { href: "/account" }, { href: "https://example.com/", newTabHint: "new tab" }])(
    "that is disabled is a plain disabled button: %o",
    (properties) => {
      const $ = rendered(<IconButton icon="user" label="Account" disabled {...properties} />);
      expect($("a")).toHaveLength(0);
      expect($("button").attr()).toMatchObject({ type: "button", disabled: "" });
      expect($("button").text()).toBe("Account");
    },
  );

  it("falls back to the default for a wrong value, and warns once", () => {
    // @ts-expect-error -- neither a variant nor a size
    const wrong = <IconButton icon="user" label="Account" variant="loud" size="huge" />;
    const $ = rendered(
      <>
        {wrong}
        {wrong}
      </>,
    );
    expect($("button").attr()).toMatchObject({ "data-variant": "primary-default", "data-size": "large" });
    expect(vi.mocked(console.warn).mock.calls.flat()).toEqual([
      'icon button size: "huge" is none of small, medium, large',
      'icon button variant: "loud" is none of primary-default, primary-fill, secondary',
    ]);
    vi.mocked(console.warn).mockClear();
  });
});
