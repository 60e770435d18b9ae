import { globSync, readFileSync } from "node:fs";

export interface Document {
  /** From the root of the checkout. */
  file: string;
  text: string;
  /** The text without its blocks of code. */
  prose: string;
  blocks: CodeBlock[];
}

interface CodeBlock {
  language: string;
  code: string;
}

const fence = /^ *```(\w*)\n(.*?)^ *```$/gms;

/** Every document of the project that people have written. Proofs write the reports. */
export const documents: readonly Document[] = globSync(["*.md", "docs/**/*.md"], { exclude: ["docs/reports/**"] })
  .sort()
  .map((file) => {
    const text = readFileSync(file, "utf8");
    const blocks = [...text.matchAll(fence)].map(([, language = "", code = ""]) => ({ language, code }));
    return { file, text, prose: text.replaceAll(fence, ""), blocks };
  });

/** @throws Error when there is no such document */
export function documentAt(file: string): Document {
  const found = documents.find((document) => document.file === file);
  if (!found) throw new Error(`there is no document ${file}`);
  return found;
}

/** The blocks of code of a language in all documents. */
export function codeIn(language: string): string[] {
  return documents
    .flatMap(({ blocks }) => blocks.filter((block) => block.language === language))
    .map(({ code }) => code);
}

/** Every command of the documents, once, without its remark. */
export const commands: readonly string[] = [
  ...new Set(
    codeIn("sh")
      .flatMap((code) => code.split("\n"))
      .map((line) => line.replace(/\s+#.*/, "").trim())
      .filter((line) => line !== ""),
  ),
];

/**
 * The rows of a document's tables, cell by cell.
 * @param heading - of the one section whose tables are meant
 */
export function rowsOf(file: string, heading?: string): string[][] {
  const sections = documentAt(file).prose.split(/^(?=#{2,3} )/m);
  return sections
    .filter((section) => heading === undefined || section.replace(/^#+ /, "").startsWith(`${heading}\n`))
    .flatMap((section) => section.split("\n"))
    .filter((line) => line.startsWith("| "))
    .map((line) =>
      line
        .replaceAll(/^\||\|$/g, "")
        .split("|")
        .map((cell) => cell.trim()),
    );
}
