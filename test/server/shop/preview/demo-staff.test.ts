import { describe, expect, it } from "vitest";
import { demoStaff, seedDemoStaff } from "../../../../server/shop/preview/demo-staff.ts";
import { keep } from "../../../support/login-test.ts";
import { callerWith, openPreview } from "../../../support/preview-test.ts";

const bench = await openPreview();
const { db, preview } = bench;
const signIn = (password: string) => preview.login({ user: demoStaff, password }, callerWith());
const statusOf = async (password: string) => (await signIn(password)).status;

async function sessionWith(password: string) {
  const result = await signIn(password);
  return callerWith(keep({}, result.status === "success" ? result.cookies : [])).cookies;
}

describe("the demo's member of staff", () => {
  it("gets the password of the first start, and keeps it", async () => {
    expect(await seedDemoStaff(db, "first password", false)).toBe(true);
    expect(await seedDemoStaff(db, "second password", false)).toBe(false);
    expect(await statusOf("second password")).toBe("unauthorized");
    expect(await statusOf("first password")).toBe("success");
  });

  it("gets one that is given later, which ends what was begun with the old one", async () => {
    const old = await sessionWith("first password");
    expect(await preview.check(old)).toBeDefined();
    expect(await seedDemoStaff(db, "given password", true)).toBe(true);
    expect(await preview.check(old)).toBeUndefined();
    expect(await statusOf("first password")).toBe("unauthorized");
    const kept = await sessionWith("given password");
    expect(await seedDemoStaff(db, "given password", true)).toBe(true);
    expect(await preview.check(kept)).toBeDefined();
  });

  it("is added once when several replicas do so at the same time", async () => {
    const other = await openPreview();
    const added = await Promise.all(["a", "b", "c"].map((password) => seedDemoStaff(other.db, password, false)));
    expect(added.filter(Boolean)).toHaveLength(1);
  });
});
