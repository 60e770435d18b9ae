/**
 * Keeps the ids of islands apart when a page includes the same bytes twice: React makes them from the island's prefix
 * (https://react.dev/reference/react/useId#specifying-a-shared-prefix-for-all-generated-ids).
 * @returns a function that gives the islands of one more fragment prefixes, ids and references that no fragment before
 * it has; call it before the islands are hydrated (test/browser/fragments.test.ts)
 */
export function createUniqueIds(): (fragment: HTMLElement) => void {
  const used = new Set<string>();

  function free(prefix: string): string {
    let found = prefix;
    for (let count = 2; used.has(found); count += 1) found = `${prefix}-${count}`;
    used.add(found);
    return found;
  }

  return (fragment) => {
    for (const island of fragment.querySelectorAll<HTMLElement>("[data-island-prefix]")) {
      const { islandPrefix = "" } = island.dataset;
      const prefix = free(islandPrefix);
      if (prefix === islandPrefix) continue;
      island.dataset.islandPrefix = prefix;
      renameIds(island, `_${islandPrefix}R_`, `_${prefix}R_`);
    }
  };
}

/** Changes every attribute: many of them hold ids (for, aria-*, href, name), and nothing but an id starts like one. */
function renameIds(island: HTMLElement, from: string, to: string) {
  for (const element of [island, ...island.querySelectorAll("*")]) {
    for (const attribute of element.attributes) attribute.value = attribute.value.replaceAll(from, to);
  }
}
