import { recipeFor } from "./recipes.ts";

/** What a page is to include. */
export interface IncludeTarget {
  fragment: string;
  /** Path of the fragment's manifest. */
  manifest: string;
  path: string;
  /** Parameters that differ from their defaults. */
  parameters: Record<string, string>;
  place: "head" | "body";
  /** The two paths for pages that load the files in their own head; missing where a fragment has no choice. */
  split?: { head: string; body: string };
  /** Origin at which other servers reach this service. */
  service: string;
  /** Origin at which browsers reach the site. */
  site: string;
}

/**
 * Writes a layout for Podium: the recipe with the fragment in it.
 * @param split - whether the layout loads the files that the manifest names, and the fragment comes without their tags
 */
export function podiumCode(
  { fragment, manifest, parameters, place, service }: Omit<IncludeTarget, "path" | "site">,
  split: boolean,
): string {
  const query = { ...parameters, ...(split && { assets: "none" }) };
  const entries = Object.entries(query).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  const podlets =
    "// Their files go into the head of Podium's document.\n  if (content) incoming.podlets = [content];\n  ";
  return recipeFor("podium", service)
    .replace('"footer"', JSON.stringify(fragment))
    .replace("/fragments/footer/DE/manifest.json", manifest)
    .replace("query: {}", entries.length > 0 ? `query: { ${entries.join(", ")} }` : "query: {}")
    .replace(
      /response\.podiumSend\(.*\);/,
      place === "head" ? 'response.podiumSend("<main>…</main>", String(content));' : "$&",
    )
    .replace("response.podiumSend", `${split ? podlets : ""}response.podiumSend`);
}

/**
 * Writes the code of a Node server that fetches the fragment itself, by the recipe.
 * @param head - the address of what belongs into the head; undefined when nothing does
 * @param body - the address of what belongs into the body; empty when nothing does
 */
export function nodeCode(head: string | undefined, body: string): string {
  const parts = [...(head ? [["head", head]] : []), ...(body ? [["body", body]] : [])];
  const fetched = parts.map(
    ([name, address]) => `const ${name} = fetchFragment(${JSON.stringify(address)}, request.headers.cookie);`,
  );
  return `import { fetchFragment } from "./fetch-fragment.mjs";

${fetched.join("\n")}

const page = \`<!doctype html>
<html lang="…">
  <head><title>…</title>${head ? `\${await head}` : ""}</head>
  <body><main>…</main>${body ? `\${await body}` : ""}</body>
</html>\`;`;
}

/**
 * Writes the script of a page that fetches the fragment in the browser.
 * @param head - the address of what belongs into the head; undefined when nothing does
 * @param body - the address of what belongs into the body; empty when nothing does
 */
export function browserCode(head: string | undefined, body: string): string {
  return `<script type="module">
${head ? `  await include(${JSON.stringify(head)}, document.head);\n` : ""}${body ? `  await include(${JSON.stringify(body)}, document.body);\n` : ""}
  async function include(address, place) {
    const response = await fetch(address, { signal: AbortSignal.timeout(3000) });
    if (!response.ok) return;
    // The scripts of a fragment that is parsed like this run; those of innerHTML would not.
    place.append(document.createRange().createContextualFragment(await response.text()));
  }
</script>`;
}
