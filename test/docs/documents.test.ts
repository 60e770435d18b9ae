import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, normalize } from "node:path";
import { expect, it } from "vitest";
import { commands, type Document, documentAt, documents } from "./read-documents.ts";

/** As GitHub names the heading of a section in its address. */
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

/** What a reader makes by following a document isn't there before. */
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

it("documents name files and folders that are there", () => {
  for (const document of documents) {
    for (const path of inBackticks(document).filter((text) => isPath(text) && !made.includes(text))) {
      expect(existsSync(path), `${document.file}: ${path}`).toBe(true);
      expect(statSync(path).isDirectory(), `${document.file}: ${path}`).toBe(path.endsWith("/"));
    }
  }
});

it("comments name tests that are there", () => {
  const sources = globSync(["{server,client}/**/*.{ts,tsx,mjs,css}", "build.mjs", ".dependency-cruiser.mjs"]);
  const named = sources.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/\btest\/[\w./-]+\.tsx?\b/g)].map(([path]) => ({ file, path })),
  );
  expect(named).not.toEqual([]);
  for (const { file, path } of named) expect(existsSync(path), `${file}: ${path}`).toBe(true);
});

it("the README is short, shows the service, and leads to every document for a reader", () => {
  const readme = documentAt("README.md");
  expect(readme.text.split(/\s+/).length).toBeLessThanOrEqual(900);
  expect(readme.text).toContain("](docs/footer.png)");
  const others = documents.map(({ file }) => file).filter((file) => !file.startsWith("docs/decisions/2"));
  expect(linksOf(readme).map((target) => target.split("#")[0])).toEqual(
    expect.arrayContaining(others.filter((file) => file !== "README.md")),
  );
});

it("decisions have a context, a decision and consequences, and are listed with their date and title", () => {
  const decisions = documents.filter(({ file }) => /^docs\/decisions\/\d/.test(file));
  const lines = decisions.map(({ file, text }) => {
    const [, title] =
      /^# (.+)\n\n\*\*Context\.\*\* .+\n\n\*\*Decision\.\*\* .+\n\n\*\*Consequences\.\*\* /.exec(text) ?? [];
    expect(title, file).toBeDefined();
    const name = basename(file);
    return `| ${name.slice(0, 10)} | [${title}](${name}) |`;
  });
  const list = documentAt("docs/decisions/README.md");
  expect(list.text.split("\n").filter((line) => line.startsWith("| 2"))).toEqual(lines);
});
