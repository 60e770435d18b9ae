import { describe, expect, it } from "vitest";
import { setCustomer } from "../../../server/accounts/customer-profile.ts";
import { email, openLogin, signIn } from "../../support/login-test.ts";

const bench = await openLogin();
const { login } = await signIn(bench);
const known = () => bench.login.identify({ login });

describe("what is known of a customer", () => {
  it("is what an operator sets; what isn't given stays, and an empty text removes", async () => {
    await setCustomer(bench.db, email.toUpperCase(), {
      salutation: "DIVERS",
      lastName: " O'Neil ",
      consents: "DNE",
    });
    const set = { email, salutation: "DIVERS", firstName: "Ada", lastName: "O'Neil", consents: ["DNE"] };
    expect(await known()).toEqual(set);
    await setCustomer(bench.db, email, { consents: "NEWSLETTER,DNE,DNE" });
    expect(await known()).toEqual({ ...set, consents: ["NEWSLETTER", "DNE"] });
    await setCustomer(bench.db, email, { salutation: "", firstName: "", consents: "" });
    expect(await known()).toEqual({ email, lastName: "O'Neil", consents: [] });
  });

  it("stays when an option is wrong, and the operator is told which", async () => {
    const before = await known();
    const wrong = { salutation: "SIR", firstName: "x.example", lastName: "x".repeat(41), consents: "dne" };
    const faults = ["--salutation", "--first-name", "--last-name", "--consents"];
    await expect(setCustomer(bench.db, email, { ...wrong })).rejects.toMatchObject({
      faults: faults.map((fault) => expect.stringContaining(fault)),
    });
    await expect(setCustomer(bench.db, email, {})).rejects.toMatchObject({
      faults: [expect.stringContaining("needs --salutation")],
    });
    await expect(setCustomer(bench.db, "nobody@shop.example", { consents: "DNE" })).rejects.toMatchObject({
      faults: ["nobody@shop.example has no account"],
    });
    expect(await known()).toEqual(before);
  });
});
