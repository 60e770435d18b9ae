import { describe, expect, it } from "vitest";
import { minute } from "../../../../../client/rules/time.ts";
import { type Jar, keep } from "../../../../support/login-test.ts";
import {
  callerWith,
  chosen,
  christmas,
  openPreview,
  type PreviewBench,
  signedIn,
} from "../../../../support/preview-test.ts";

const none = { test: undefined, group: undefined };

async function chosenBy(bench: PreviewBench): Promise<Jar> {
  const jar = await signedIn(bench);
  return chosen(bench, jar, { previewDateTime: christmas, ...none });
}

async function renewed({ preview }: PreviewBench, jar: Jar): Promise<Jar | undefined> {
  const cookies = await preview.renew(callerWith(jar));
  return cookies && keep(jar, cookies);
}

/** Whether somebody is signed in, and when they preview the shop. */
async function stateOf({ preview }: PreviewBench, jar: Jar) {
  const { cookies } = callerWith(jar);
  return [(await preview.check(cookies)) !== undefined, (await preview.chosen(cookies))?.at];
}

describe("a session of staff", () => {
  it("ends half an hour after its last renewal, with its preview", async () => {
    const bench = await openPreview();
    const jar = await chosenBy(bench);
    bench.pass(30 * minute - 1);
    expect(await stateOf(bench, jar)).toEqual([true, Date.parse(christmas)]);
    bench.pass(1);
    expect(await stateOf(bench, jar)).toEqual([false, undefined]);
    expect(await renewed(bench, jar)).toBeUndefined();
    expect(await stateOf(bench, { ...(await signedIn(bench)), PreviewContext: jar.PreviewContext ?? "" })).toEqual([
      ...[true, undefined],
    ]);
  });

  it("ends after twelve hours despite renewals, with its preview", async () => {
    const bench = await openPreview();
    let jar = await chosenBy(bench);
    for (let passed = 0; passed < 12 * 60 - 20; passed += 20) {
      bench.pass(20 * minute);
      jar = (await renewed(bench, jar)) ?? {};
      expect(await stateOf(bench, jar)).toEqual([true, Date.parse(christmas)]);
    }
    bench.pass(20 * minute - 1);
    expect(await stateOf(bench, jar)).toEqual([true, Date.parse(christmas)]);
    bench.pass(1);
    expect(await stateOf(bench, jar)).toEqual([false, undefined]);
    expect(await renewed(bench, jar)).toBeUndefined();
  });
});
