/**
 * Prints the changelog's section of a release:
 *
 *   node deploy/release/release-notes.ts v1.0.0
 *
 * Exits with 1 if the tag isn't of the version in package.json, or CHANGELOG.md has no section of it,
 * or schemas/released/ has the documents of another version.
 */
import { readdir, readFile } from "node:fs/promises";

const [tag] = process.argv.slice(2);
const { version } = JSON.parse(await readFile("package.json", "utf8"));
const sections = (await readFile("CHANGELOG.md", "utf8")).split(/^## /m);
const [, ...lines] = sections.find((section) => section.split(/\s/, 1)[0] === version)?.split("\n") ?? [];
const notes = lines.join("\n").trim();
const documents = (await readdir("schemas/released")).map((name) => readFile(`schemas/released/${name}`, "utf8"));
const versions = (await Promise.all(documents)).map((text) => JSON.parse(text).info.version);

if (tag !== `v${version}`) {
  console.error(
    `The tag ${tag} isn't v${version}, the version in package.json: tag the commit that changes the version.`,
  );
  process.exitCode = 1;
} else if (notes === "") {
  console.error(`CHANGELOG.md says nothing of ${version}: write its section, "## ${version}".`);
  process.exitCode = 1;
} else if (versions.some((other) => other !== version)) {
  console.error(
    `schemas/released/ isn't of ${version}: run \`node build.mjs\` and \`node deploy/release/compare-documents.ts --write\`.`,
  );
  process.exitCode = 1;
} else {
  console.log(notes);
}
