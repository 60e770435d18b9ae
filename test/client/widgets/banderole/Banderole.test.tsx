import { describe, expect, it, vi } from "vitest";
import { Banderole } from "../../../../client/widgets/banderole/Banderole.tsx";
import { rendered } from "../rendered.ts";

describe("a banderole", () => {
  it("is a text over the picture it is given", () => {
    const $ = rendered(
      <Banderole discount="10 %" text="Welcome voucher">
        <img src="data:," alt="Coffee" />
      </Banderole>,
    );
    expect($(".sf-banderole").attr("data-variant")).toBe("default");
    expect($(".sf-banderole-picture img").attr("alt")).toBe("Coffee");
    expect($("p").text()).toBe("10 % Welcome voucher");
  });

  it("stands alone without one", () => {
    const $ = rendered(<Banderole discount="10 %" text="Welcome voucher" variant="voucher" />);
    expect($(".sf-banderole").children()).toHaveLength(1);
    expect($(".sf-banderole").attr("data-variant")).toBe("voucher");
  });

  it("falls back to the default for a wrong variant, and warns once", () => {
    // @ts-expect-error -- no variant
    const wrong = <Banderole discount="10 %" text="Welcome voucher" variant="confetti" />;
    const $ = rendered(
      <>
        {wrong}
        {wrong}
      </>,
    );
    expect($(".sf-banderole").attr("data-variant")).toBe("default");
    expect(vi.mocked(console.warn).mock.calls.flat()).toEqual([
      'banderole variant: "confetti" is none of default, sale, voucher',
    ]);
    vi.mocked(console.warn).mockClear();
  });
});
