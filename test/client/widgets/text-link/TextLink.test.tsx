import { describe, expect, it, vi } from "vitest";
import { TextLink } from "../../../../client/widgets/text-link/TextLink.tsx";
import { rendered } from "../rendered.ts";

describe("a text link", () => {
  it("is primary, of medium size, with the icon link-up behind its text", () => {
    const $ = rendered(<TextLink href="/delivery">Delivery</TextLink>);
    const link = $("a");
    expect(link.attr()).toEqual({
      class: "sf-text-link",
      "data-variant": "primary",
      "data-size": "medium",
      "data-icon": "appended",
      href: "/delivery",
    });
    expect(link.text()).toBe("Delivery");
    expect(link.children().last().is("svg[aria-hidden=true]")).toBe(true);
    expect($("use").attr("href")).toBe("#link-up");
  });

  it("takes its icon in front of the text, or none", () => {
    const inFront = rendered(
      <TextLink href="/" icon="mail" iconPosition="prepended">
        Contact
      </TextLink>,
    );
    expect(inFront("a").children().first().find("use").attr("href")).toBe("#mail");
    const none = rendered(
      <TextLink href="/" iconPosition="none">
        Contact
      </TextLink>,
    );
    expect(none("svg")).toHaveLength(0);
  });

  it.each(["https://example.com/", "http://example.com/", "mailto:info@example.com"])(
    "opens a new tab without a referrer, and says so: %s",
    (href) => {
      const $ = rendered(
        <TextLink href={href} newTabHint="opens in a new tab">
          Elsewhere
        </TextLink>,
      );
      expect($("a").attr()).toMatchObject({ href, target: "_blank", rel: "noopener noreferrer" });
      expect($("a").text()).toBe("Elsewhere (opens in a new tab)");
    },
  );

  it("within the site stays in its tab, whatever hint it is given", () => {
    const $ = rendered(
      <TextLink href="/faq" newTabHint="opens in a new tab">
        Questions
      </TextLink>,
    );
    expect($("a").attr("target")).toBeUndefined();
    expect($("a").text()).toBe("Questions");
  });

  it("that is disabled is a plain disabled button", () => {
    const $ = rendered(
      <TextLink href="https://example.com/" newTabHint="opens in a new tab" disabled>
        Elsewhere
      </TextLink>,
    );
    expect($("a")).toHaveLength(0);
    expect($("button").attr()).toMatchObject({ type: "button", disabled: "" });
    expect($("button").text()).toBe("Elsewhere");
  });

  it("falls back to the default for a wrong value, and warns once", () => {
    const wrong = (
      // @ts-expect-error -- neither a variant, a size nor a position
      <TextLink href="/" variant="loud" size="huge" iconPosition="above">
        Text
      </TextLink>
    );
    const $ = rendered(
      <>
        {wrong}
        {wrong}
      </>,
    );
    expect($("a").attr()).toMatchObject({ "data-variant": "primary", "data-size": "medium" });
    expect(vi.mocked(console.warn).mock.calls.flat()).toEqual([
      'text link icon position: "above" is none of appended, prepended, none',
      'text link variant: "loud" is none of primary, secondary',
      'text link size: "huge" is none of small, medium, large',
    ]);
    vi.mocked(console.warn).mockClear();
  });
});
