import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { second } from "../../../../../client/rules/time.ts";
import { openForm } from "../../../../../server/features/edge-purges/forms/open-form.ts";
import { startProgram } from "../../../../support/event-test.ts";
import { openPurgeBench, settleTime } from "../../../../support/purge-bench.ts";

const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

/** A folder with a program that writes down its words, one a line, and fails while there is a file `broken`. */
async function fakeProgram(name: string) {
  const folder = await mkdtemp(join(tmpdir(), "purges-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const script = `#!/bin/sh\n[ ! -e "${folder}/broken" ] || { echo "no credentials" >&2; exit 1; }\nprintf '%s\\n' "$@" > "${folder}/words"\n`;
  await writeFile(join(folder, name), script);
  await chmod(join(folder, name), 0o755);
  return { folder, words: async () => (await readFile(join(folder, "words"), "utf8")).trim().split("\n") };
}

it.each([
  ["aws", "cloudfront", "cloudfront create-invalidation --distribution-id E1 --paths #country-DE #variant:a.b:C"],
  ["akamai", "akamai", "purge invalidate --tag country-DE variant.a.b.C"],
])("the example receiver runs %s, and gets the purge again if that fails", async (name, edge, command) => {
  const { folder, words } = await fakeProgram(name);
  await writeFile(join(folder, "broken"), "");
  const { url, lines } = await startProgram("examples/edge-purges/receiver.mjs", {
    PATH: `${folder}:${process.env.PATH}`,
    PURGE_TOKEN: secret,
    EDGE: edge,
    CLOUDFRONT_DISTRIBUTION: "E1",
  });
  const form = () => openForm({ url, form: "webhook", secret, secretFile: undefined, check: false });
  const { first, pass, waiting, logged } = await openPurgeBench(form);
  for (const tag of ["country-DE", "variant:a.b:C"]) await first.purge(tag);
  await pass(settleTime);
  expect(await waiting()).toHaveLength(2);
  expect(logged()).toEqual([expect.objectContaining({ reason: "status 502" })]);
  expect(lines().join("\n")).toContain("no credentials");
  await rm(join(folder, "broken"));
  await pass(7 * second);
  expect(await waiting()).toEqual([]);
  expect((await words()).join(" ")).toBe(command);
});

it("the example receiver refuses what the service hasn't signed", async () => {
  const { folder } = await fakeProgram("aws");
  const variables = { PATH: folder, PURGE_TOKEN: secret, EDGE: "cloudfront", CLOUDFRONT_DISTRIBUTION: "E1" };
  const { url } = await startProgram("examples/edge-purges/receiver.mjs", variables);
  const other = `whsec_${Buffer.alloc(32, 8).toString("base64")}`;
  const form = openForm({ url, form: "webhook", secret: other, secretFile: undefined, check: false });
  onTestFinished(() => form.close());
  expect(await form.send([{ tag: "country-DE", at: 0 }])).toMatchObject({ status: 401 });
});
