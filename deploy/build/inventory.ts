import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { servicePaths } from "../../server/http/edge-routes.ts";
import { type BuiltFile, hashForBrowsers } from "../../server/platform/assets.ts";
import { assets } from "./build-id.ts";
import type { Outputs } from "./licences.ts";

/** The purpose of each script and stylesheet, by its name in client/. */
const purposes: Record<string, string> = {
  "boot.js":
    "starts fragments: consent link, view and country choice, A/B assignment; loads a part's code when a visitor reaches it",
  "copy-code.js": "copies examples on the pages for the shop's teams",
  "Example.js": "hydrates the specimens of the widgets",
  "exposure.js": "reports that a visitor has seen the footer of a group of an A/B test",
  "fit-frames.js": "fits the overview's preview to its content",
  "footer.css": "styles the footer",
  "gallery.css": "styles the pages of the widgets",
  "gallery.js": "switches the specimens of the widgets",
  "global.esm.js": "calculates dates in the preview panel where the browser has no Temporal",
  "header.css": "styles the header",
  "hide-newsletter.js": "hides the sign-up from subscribers",
  "hydrate.js": "makes a part of a fragment interactive",
  "keep-session.js": "renews the session of signed-in customers",
  "login.css": "styles the login page",
  "LoginForm.js": "checks and sends the login form",
  "newsletter.css": "styles the newsletter's sign-up",
  "NewsletterBlock.js": "checks and sends the newsletter's sign-up",
  "overview.css": "styles the overview, the pages of the services and the outbox",
  "page.css": "styles the pages of the service",
  "preferences.css": "styles the subscriber's page",
  "preview.css": "styles the preview panel",
  "show-preview.js": "shows staff the preview panel",
  "StaffLoginForm.js": "reveals the password in the form where staff sign in",
};

/**
 * Lists every script and stylesheet in the folder of the built files, with what PCI DSS 4.0.1 (6.4.3) requires for each
 * script on a payment page.
 * @param files - built names by their names in client/
 * @throws Error naming a file without a purpose
 */
export async function listBuiltFiles(files: Record<string, string>, outputs: Outputs): Promise<BuiltFile[]> {
  const names = new Map(Object.entries(files).map(([name, file]) => [file, name]));
  const built = globSync("*.{css,js}", { cwd: assets }).sort();
  return Promise.all(
    built.map(async (file) => {
      const content = await readFile(join(assets, file));
      const integrity = hashForBrowsers(content);
      return {
        file,
        integrity,
        bytes: content.length,
        purpose: purposeOf(file),
        calls: findCalls(String(content)),
      };
    }),
  );

  function purposeOf(file: string): string {
    const name = names.get(file);
    const purpose = name === undefined ? `shared by ${importersOf(file).join(", ")}` : purposes[name];
    if (!purpose) throw new Error(`deploy/build/inventory.ts: ${name} has no purpose`);
    return purpose;
  }

  /** Returns the names in client/ of the scripts that load a shared one. */
  function importersOf(file: string, seen = new Set([file])): string[] {
    const importers = Object.entries(outputs)
      .filter(([, { imports }]) => imports.some(({ path }) => basename(path) === file))
      .map(([path]) => basename(path))
      .filter((path) => !seen.has(path));
    for (const importer of importers) seen.add(importer);
    return [...new Set(importers.flatMap((importer) => names.get(importer) ?? importersOf(importer, seen)))].sort();
  }

  /** Returns the paths that a file with this content may request on its page's origin, as prefixes. */
  function findCalls(content: string): string[] {
    const loadsFiles = /(?:from|import)\s*\(?"\.\/|"\/assets\//.test(content);
    const services = servicePaths.map((path) => `/service/${path}/`).filter((path) => content.includes(path));
    return [...(loadsFiles ? ["/assets/"] : []), ...services];
  }
}
