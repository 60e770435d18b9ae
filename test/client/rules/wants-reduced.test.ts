import { describe, expect, it } from "vitest";
import { readCookies } from "../../../client/host-page/read-cookies.ts";
import { wantsReduced } from "../../../client/rules/wants-reduced.ts";

describe("the cookies", () => {
  it.each(["affiliateNumber=1", "a=b; affiliateNumber=", "xc-app=new", "a=b;xc-app=new"])(
    "ask for the reduced footer: %s",
    (cookie) => {
      expect(wantsReduced(readCookies(cookie))).toBe(true);
    },
  );

  it.each(["", "xc-app=old", "xc-app=newer", "xc-app=new=1", "notaffiliateNumber=1", "a=affiliateNumber=1"])(
    "don't: %s",
    (cookie) => {
      expect(wantsReduced(readCookies(cookie))).toBe(false);
    },
  );
});
