import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { documentAt } from "./read-documents.ts";

/** The files of the host pages that Git has or would add. */
const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "examples/hosts"], {
  encoding: "utf8",
})
  .trim()
  .split("\n");
const hosts = [...new Set(files.map((file) => file.split("/")[2] ?? ""))];

const isComment = /^(#|\/\/|\/?\*|<!--(?!#)|\{\/\*)/;
const linesOf = (file: string) =>
  readFileSync(file, "utf8")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !isComment.test(line));

it.each(hosts)("the host page %s is explained and linked, and takes 30 lines at most", (host) => {
  const own = files.filter((file) => file.startsWith(`examples/hosts/${host}/`));
  expect(own).toContain(`examples/hosts/${host}/README.md`);
  expect(documentAt("docs/include.md").text).toContain(`(../examples/hosts/${host}/)`);
  const lock = own.find((file) => file.endsWith("/package-lock.json"));
  const locked = lock && JSON.parse(readFileSync(lock, "utf8")).packages["node_modules/@storefront-fragments/client"];
  expect(locked?.version ?? packageJson.version).toBe(packageJson.version);
  const counted = own.filter((file) => !/\.(json|md)$|\/\.[^/]+$/.test(file));
  expect(counted.flatMap(linesOf).length).toBeLessThanOrEqual(30);
});
