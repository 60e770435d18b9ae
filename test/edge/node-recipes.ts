import { cp, mkdir, symlink, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { podiumCode } from "../../server/overview/overview-code.ts";
import { type Edge, runEdge } from "./run-edge.ts";

/** The folder whose packages have Tailor. */
export const tailorPackages = "test/edge/tailor";

const podium = "podium-layout.mjs";

/** Starts the recipe of a Podium layout. */
export function startPodium(fragments: string): Promise<Edge> {
  return startRecipe(podium, ".", { FRAGMENTS: fragments });
}

/** Starts the layout that the overview shows for a footer with a wrong parameter. */
export function startWrongPodium(service: string): Promise<Edge> {
  const manifest = "/fragments/footer/DE/manifest.json";
  const parameters = { platform: "NONE" };
  const code = podiumCode({ fragment: "footer", manifest, parameters, place: "body", service }, false);
  return startRecipe(podium, ".", {}, (folder) => writeFile(`${folder}/${podium}`, code));
}

/**
 * Starts the recipe of Tailor.
 * @param pages - HTML by name
 */
export function startTailor(pages: Record<string, string>): Promise<Edge> {
  return startRecipe("tailor.mjs", tailorPackages, {}, async (folder) => {
    await mkdir(`${folder}/templates`);
    for (const [name, html] of Object.entries({ ...pages, ready: "<p>ready</p>" }))
      await writeFile(`${folder}/templates/${name}.html`, html);
  });
}

/** Starts a recipe for Node.js as it is, in a folder that has its packages. */
function startRecipe(
  name: string,
  packages: string,
  env: Record<string, string>,
  prepare = async (_folder: string) => {},
): Promise<Edge> {
  return runEdge(async (port, folder) => {
    await cp("deploy/edge", folder, { recursive: true });
    await symlink(resolve(packages, "node_modules"), `${folder}/node_modules`);
    await prepare(folder);
    return { command: [process.execPath, name], env: { ...env, PORT: String(port) } };
  });
}
