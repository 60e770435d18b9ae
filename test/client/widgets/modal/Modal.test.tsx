import { describe, expect, it, vi } from "vitest";
import { Modal, modalSizes } from "../../../../client/widgets/modal/Modal.tsx";
import { rendered } from "../rendered.ts";

const modal = { open: false, onClose: () => undefined, title: "Delivery", closeLabel: "Close", children: "Text" };

describe("a modal", () => {
  it.for(modalSizes)("of size %s is a dialog named by its heading, with a named close button", (size) => {
    const $ = rendered(<Modal {...modal} size={size} />);
    expect($("dialog").attr("data-size")).toBe(size);
    expect($(`#${$("dialog").attr("aria-labelledby")}`).text()).toBe("Delivery");
    expect($("button").text()).toBe("Close");
  });

  it("leaves the server closed: only script puts it above the page", () => {
    expect(rendered(<Modal {...modal} open />)("dialog").attr("open")).toBeUndefined();
  });

  it("has an id of its own", () => {
    const $ = rendered(
      <>
        <Modal {...modal} />
        <Modal {...modal} />
      </>,
    );
    const ids = $("[id]").map((_index, element) => $(element).attr("id"));
    expect(new Set(ids.get()).size).toBe(2);
  });

  it("falls back to M for a wrong size, and warns once", () => {
    // @ts-expect-error -- no size
    const wrong = <Modal {...modal} size="XL" />;
    const $ = rendered(
      <>
        {wrong}
        {wrong}
      </>,
    );
    expect($("dialog").attr("data-size")).toBe("M");
    expect(vi.mocked(console.warn).mock.calls.flat()).toEqual(['modal size: "XL" is none of S, M, L']);
    vi.mocked(console.warn).mockClear();
  });
});
