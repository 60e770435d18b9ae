import { existsSync, globSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, it } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { commands, type Document, documentAt, documents } from "./read-documents.ts";

/** Returns the anchor that GitHub gives a heading. */
const slugOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
const anchorsOf = ({ prose }: Document) =>
  [...prose.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => slugOf(heading));
const linksOf = ({ prose }: Document) =>
  [...prose.replaceAll(/`[^`\n]+`/g, "").matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
const inBackticks = ({ prose }: Document) => [...prose.matchAll(/`([^`\n]+)`/g)].map(([, text = ""]) => text);

/** Files that a reader makes by following a document don't exist before. */
const made = commands.flatMap((command) => /^cp (?:-r )?\S+ (\S+)$/.exec(command)?.[1] ?? []);
const roots = globSync("*").filter((name) => name !== "node_modules" && name !== "dist");
const isPath = (text: string) => /^[\w@-]+[./][\w.@/-]*$/.test(text) && roots.includes(text.split("/")[0] ?? "");

it("documents link to documents and sections that are there", () => {
  for (const document of documents) {
    for (const target of linksOf(document).filter((link) => !link.startsWith("https://"))) {
      const [path = "", anchor] = target.split("#");
      const file = path ? normalize(join(dirname(document.file), path)) : document.file;
      expect(existsSync(file), `${document.file}: ${target}`).toBe(true);
      if (anchor) expect(anchorsOf(documentAt(file)), `${document.file}: ${target}`).toContain(anchor);
    }
  }
});

it("documents name the packages of this version", () => {
  const named = documents.flatMap(({ text }) => [...text.matchAll(/storefront-fragments(?:-client)?-([\d.]+)\.tgz/g)]);
  expect(new Set(named.map(([file]) => file)).size).toBe(2);
  expect(new Set(named.map(([, version]) => version))).toEqual(new Set([packageJson.version]));
});

it("documents name files and folders that are there", () => {
  for (const document of documents) {
    for (const path of inBackticks(document).filter((text) => isPath(text) && !made.includes(text))) {
      expect(existsSync(path), `${document.file}: ${path}`).toBe(true);
      expect(statSync(path).isDirectory(), `${document.file}: ${path}`).toBe(path.endsWith("/"));
    }
  }
});
