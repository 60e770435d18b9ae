import { setTimeout as pause } from "node:timers/promises";
import { type Milliseconds, second } from "../../client/rules/time.ts";
import { createLogger } from "../../server/platform/logger.ts";
import { openStore } from "../../server/store/open-store.ts";
import type { Edge } from "../edge/run-edge.ts";
import { startNginx, startVarnish } from "../edge/start-edges.ts";
import { page, pageOf, startPages } from "../edge/start-pages.ts";
import { onStore, startReplica } from "../support/start-process.ts";
import { createStorePlace, type StorePlace } from "../support/test-store.ts";
import { atLeast, type Figure, none, type Proof, scaled } from "./proof.ts";

/** The number of visitors who open pages at once. */
const atOnce = 20;
/** Pause between two pages that are opened until a test has ended. */
const pace: Milliseconds = 20;
const isOfGroup = 'data-variant="ending:A"';

export const groupsBehindEdges: Proof = {
  name: "groups of an A/B test behind an edge",
  does: "Lets an A/B test end while visitors open pages with its footers behind the recipes of nginx and Varnish. Then the recipes divide visitors among the two groups of another test. Each visitor opens several pages, and each footer is compared with that of the visitor's group, byte for byte.",
  async run(trial) {
    const place = await createStorePlace();
    const service = await startReplica({ ...onStore(place), DEMO: "on" });
    const pages = await startPages();
    const edges = {
      nginx: await startNginx(trial.nginxPath, [service.origin], pages.origin, { "#50% variant=": "50% variant=" }),
      Varnish: await startVarnish(trial.varnishPath, [service.origin], pages.origin, { "#if (req": "if (req" }),
    };
    const end = Math.ceil((Date.now() + 5 * second) / second) * second;
    await addTest(place, end);
    const both = Object.entries(edges);
    const ended = await Promise.all(both.map(([name, edge]) => openUntilAfter(end, name, edge)));
    const pageFor = async (group: string) => {
      const address = `${service.origin}/fragments/footer/DE?variant=footer-promotion:${group}`;
      return page(await (await fetch(address)).text());
    };
    const visits = scaled(10_000, trial);
    const divided = await Promise.all(both.map(([name, edge]) => openAsVisitors(visits, name, edge, pageFor)));
    await service.kill();
    await Promise.all([pages.close(), ...Object.values(edges).map((edge) => edge.stop())]);
    return [...ended, ...divided].flat();
  },
};

/** Adds a test that ends at a moment. */
async function addTest(place: StorePlace, validTo: number): Promise<void> {
  const { db, close } = await openStore({ ...place, logger: createLogger({ level: "warn" }) });
  await db.insertInto("abTest").values({ name: "ending", validFrom: 0, validTo }).execute();
  await db.insertInto("abTestGroup").values({ test: "ending", name: "A", position: 0 }).execute();
  await close();
}

const includeOf = (edge: string) => (edge === "nginx" ? "ssi" : "esi");

/** Opens pages with a group's footer until its test has been over for some seconds. */
async function openUntilAfter(end: number, name: string, edge: Edge): Promise<Figure[]> {
  const path = pageOf(includeOf(name), "/fragments/footer/DE?variant=ending:A");
  const late: string[] = [];
  let before = 0;
  let after = 0;
  for (let askedAt = Date.now(); askedAt < end + 4 * second; askedAt = Date.now()) {
    const html = await (await edge.get(path)).text();
    if (html.includes(isOfGroup)) {
      // The test may be seen in the second in which it ends.
      if (askedAt >= end + second) late.push(`${askedAt - end} ms after the end`);
      else before++;
    } else if (askedAt >= end + second && html.includes("<footer")) after++;
    await pause(pace);
  }
  return [
    atLeast(`footers of a test until its end through ${name}`, before, 3),
    atLeast(`everybody's footers after it through ${name}`, after, 3),
    none(`footers of the test after the second of its end through ${name}`, late),
  ];
}

/** Opens pages as many visitors, each of whom comes five times. */
async function openAsVisitors(
  count: number,
  name: string,
  edge: Edge,
  pageFor: (group: string) => Promise<string>,
): Promise<Figure[]> {
  const address = `/fragments/footer/DE${name === "nginx" ? "?$storefront_variant" : ""}`;
  const path = pageOf(includeOf(name), address);
  const groupOf = new Map([
    [await pageFor("A"), "A"],
    [await pageFor("B"), "B"],
  ]);
  const known = new Map<string, string>();
  const mixed: string[] = [];
  let opened = 0;
  const visit = async () => {
    while (opened < count) {
      const visitor = `visitor ${opened++ % Math.ceil(count / 5)}`;
      const html = await (await edge.get(path, { "User-Agent": visitor })).text();
      const group = groupOf.get(html);
      if (!group) mixed.push(`${visitor}: ${html.slice(0, 300)}`);
      else if ((known.get(visitor) ?? group) !== group)
        mixed.push(`${visitor}: first ${known.get(visitor)}, then ${group}`);
      else known.set(visitor, group);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, visit));
  const sizes = ["A", "B"].map((group) => [...known.values()].filter((of) => of === group).length);
  return [
    atLeast(`pages with a group's footer through ${name}`, opened, count),
    none(`pages with anything but the footer of the visitor's group through ${name}`, mixed),
    atLeast(`visitors in the smaller group through ${name}`, Math.min(...sizes), Math.ceil(count / 5 / 4)),
  ];
}
