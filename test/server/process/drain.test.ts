import { text } from "node:stream/consumers";
import { setImmediate as turn } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import { closeAll } from "../../../server/process/drain.ts";
import { sendHalf, startProcess, stopProcesses } from "../../support/start-process.ts";

afterAll(stopProcesses);

const secret = "canary of shop.example";

/** Ways to crash the service at SIGUSR2, from outside its own code. */
const crashes = {
  "an exception that nothing catches": "throw error",
  "a promise that nobody heeds": "Promise.reject(error)",
};

function startFragile(crash: string) {
  const planted = `process.on("SIGUSR2", function plant() {
    const { SECRET } = process.env;
    const error = new TypeError(SECRET + "\\n    at " + SECRET);
    Object.assign(error, { code: "EODD", detail: SECRET });
    ${crash};
  })`;
  const fragile = `data:text/javascript,${encodeURIComponent(planted)}`;
  const command = [process.execPath, "--import", fragile, "dist/server/main.js"] as const;
  return startProcess({ DEMO: "off", SECRET: secret }, command);
}

describe.each(Object.entries(crashes))("after %s", (_name, crash) => {
  it("the service isn't ready any more, answers what has come, and exits with 1 and one line that tells no secret", async () => {
    const service = startFragile(crash);
    const port = await service.port;
    const status = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
    const underWay = await sendHalf(port);
    const answer = text(underWay);
    expect(await status("/readyz")).toBe(200);
    service.signal("SIGUSR2");
    await expect.poll(() => status("/readyz")).toBe(503);
    expect(await status("/livez")).toBe(200);
    expect(await status("/fragments/footer?site=DE")).toBe(200);
    underWay.write("mobile");
    expect(await answer).toMatch(/^HTTP\/1\.1 303 /);
    expect(await service.ended).toMatchObject({ code: 1, signal: null });

    expect(service.stderr()).toBe("");
    const lines = service
      .stdout()
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.filter(({ level }) => level >= 50)).toEqual([
      expect.objectContaining({
        level: 60,
        msg: "crashed, draining",
        err: { type: "TypeError", code: "EODD", stack: expect.stringMatching(/^ {4}at process\.plant /) },
      }),
    ]);
    expect(service.stdout()).not.toContain(secret);
  });
});

it("resources close one after the other, the last opened first", async () => {
  const steps: string[] = [];
  const open = (name: string) => ({
    async close() {
      steps.push(`${name} closes`);
      await turn();
      steps.push(`${name} is closed`);
    },
  });
  await closeAll(["store", "worker"].map(open));
  expect(steps).toEqual(["worker closes", "worker is closed", "store closes", "store is closed"]);
});

it("a service that drains after a crash exits with 1 in spite of a signal", async () => {
  const service = startFragile(crashes["a promise that nobody heeds"]);
  const port = await service.port;
  service.signal("SIGUSR2");
  await expect.poll(async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(503);
  service.signal("SIGTERM");
  expect(await service.ended).toMatchObject({ code: 1, signal: null });
});
