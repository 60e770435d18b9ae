import { pathToFileURL } from "node:url";

export interface FetchRecipe {
  fetchFragment(address: string, cookies?: string): Promise<string>;
  purge(key: string): void;
}

export interface WorkerRecipe {
  default: { fetch(request: Request, env: { FRAGMENTS: string; PAGES: string }): Promise<Response> };
}

interface Recipes {
  "fetch-fragment.mjs": FetchRecipe;
  "cloudflare-worker.mjs": WorkerRecipe;
}

/** Gives what a recipe exports. */
export function importRecipe<Name extends keyof Recipes>(name: Name): Promise<Recipes[Name]> {
  return import(pathToFileURL(`deploy/edge/${name}`).href);
}
