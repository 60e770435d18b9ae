import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { findUnusedTexts } from "../../schemas/list-unused-texts.mjs";

it("lists a text that neither the code nor a country names, in each locale that has it", async () => {
  const root = mkdtempSync(join(tmpdir(), "texts-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const folder of ["server", "client", "countries"]) symlinkSync(resolve(folder), join(root, folder));
  cpSync("locales", join(root, "locales"), { recursive: true });
  const before = await findUnusedTexts(root);

  function add(file: string, texts: object) {
    const path = join(root, "locales", file);
    writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, "utf8")), ...texts }));
  }
  add("de/footer.json", { "teasers.planted": "x", "imprint.fax": "a fact of the imprint may have any name" });
  add("pl-PL/footer.json", { "teasers.planted": "x" });
  add("de/mail.json", { "confirm.planted_one": "x", "confirm.planted_other": "x" });
  add("en/team.json", { planted: "x" });
  const after = await findUnusedTexts(root);
  expect(after.filter((line) => !before.includes(line))).toEqual([
    "locales/de/footer.json /teasers.planted",
    "locales/de/mail.json /confirm.planted",
    "locales/en/team.json /planted",
    "locales/pl-PL/footer.json /teasers.planted",
  ]);
});
