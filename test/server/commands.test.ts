import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { testLogger } from "../test-app.ts";
import { createStorePlace, openTestStore } from "../test-store.ts";
import { callerOf, openNewsletter, signUp, subscriptionOf } from "./shop/newsletter/newsletter-test.ts";

const place = await createStorePlace();
const bench = await openNewsletter((await openTestStore(testLogger, place)).db);
await bench.newsletter.confirm(await signUp(bench, "ada@shop.example", "TR"), callerOf("TR"));

/** Runs a command as it was built, beside the service. */
async function run(...words: string[]) {
  const env = { DATA_DIR: place.dataDir };
  const options = { env };
  return promisify(execFile)(process.execPath, ["dist/server/commands.js", ...words], options).then(
    ({ stdout }) => ({ code: 0, stdout, stderr: "" }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );
}

describe("an operator", () => {
  it("exports the proof of a consent, for programs and to print", async () => {
    const exported = JSON.parse((await run("consent", "export", "ada@shop.example")).stdout);
    expect(exported).toEqual([expect.objectContaining({ site: "TR", email: "ada@shop.example", state: "confirmed" })]);
    expect(JSON.parse((await run("consent", "export", "ada@shop.example", "--site", "DE")).stdout)).toEqual([]);
    const { stdout } = await run("consent", "export", "ada@shop.example", "--html");
    expect(stdout).toMatch(/^<!doctype html><html lang="en">.*ada@shop\.example/s);
  });

  it("exports to the register once", async () => {
    expect(JSON.parse((await run("iys", "export")).stdout)).toHaveLength(1);
    expect(JSON.parse((await run("iys", "export")).stdout)).toEqual([]);
  });

  it("erases an address", async () => {
    expect(JSON.parse((await run("erase", "ada@shop.example")).stdout)).toEqual({ subscriptions: 1, mails: 2 });
    expect(await subscriptionOf(bench.db, "ada@shop.example", "TR")).toBeUndefined();
  });

  it.each([
    [[]],
    [["erase"]],
    [["consent"]],
    [["consent", "export"]],
    [["consent", "delete", "ada@shop.example"]],
    [["iys", "export", "ada@shop.example"]],
    [["erase", "a@shop.example", "b@shop.example"]],
    [["erase", "a@shop.example", "--force"]],
  ])("is told how to use it when that is wrong: %j", async (words) => {
    const { code, stdout, stderr } = await run(...words);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^usage: /);
  });

  it("is told of a site that there isn't", async () => {
    expect(await run("consent", "export", "a@shop.example", "--site", "XX")).toMatchObject({
      code: 1,
      stderr: "there is no site XX\n",
    });
  });
});
