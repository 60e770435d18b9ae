import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Router } from "express";
import { type SqlBool, sql } from "kysely";
import { LRUCache } from "lru-cache";
import { day, type Milliseconds, type Moment, minute } from "../../../client/rules/time.ts";
import { allowMethods } from "../../http/allow-methods.ts";
import { sendHashed, staticFiles } from "../../http/static-files.ts";
import type { Assets } from "../../platform/assets.ts";
import type { Job } from "../../platform/lifecycle.ts";
import { assetsFolder } from "../../platform/paths.ts";
import { createHousekeeping, deleteInBatches } from "../../store/housekeeping.ts";
import type { Database } from "../../store/open-store.ts";
import type { AppContext } from "../feature.ts";

declare module "../../store/tables.ts" {
  interface Tables {
    /** The browser's files of every build that runs, or has run lately. */
    archivedAsset: {
      /** Below /assets/, with the ending of its encoding. */
      name: string;
      /** In Base64. */
      content: string;
      /** When a service last had it in its own build. */
      usedAt: Moment;
    };
  }
}

/** How long pages that edges and browsers keep may ask for the files of a build after its last replica has ended. */
const retention: Milliseconds = 30 * day;
/** How exactly it is known until when a build has run. */
const accuracy: Milliseconds = 60 * minute;
/** Bytes of files in memory. Few pages of earlier builds are asked for, each for the same files. */
const cacheSize = 4_000_000;

/** Rows of an insert: each is a file of up to 300 kB. */
const rowsAtOnce = 10;

/** Reads files when they are needed, by name. */
type Files = ReadonlyMap<string, () => Promise<Buffer>>;

/** Names with the hash of their content. Only these are the same in every build. */
const hashedName = /^[\w.-]+-[A-Z0-9]{8}\.[a-z0-9]+(?:\.LEGAL\.txt)?$/;
/** The ending of a file by its encoding, the smallest first. */
const endings = { br: ".br", gzip: ".gz", identity: "" };

/**
 * Serves the browser's files, and keeps those of every build that ran on the same store in the last 30 days: a page that
 * was made by one build, and is shown while another runs, gets its own files. Without a store, only the files of this
 * build are there.
 * @param listMade - lists what the features serve below /assets/ beside the built files, by name
 */
export function createAssetArchive(context: AppContext, listMade: () => ReadonlyMap<string, Buffer>) {
  /** Archived files by name: each in its encodings, the smallest first; empty for an unknown one. */
  const archived = new LRUCache<string, Map<string, Buffer>>({
    maxSize: cacheSize,
    sizeCalculation: (file) => [...file.values()].reduce((bytes, { length }) => bytes + length, 1_000),
    // A file that is unknown now may come with the next build.
    ttl: minute,
    fetchMethod: async (name) => findArchived((await context.openedStore())?.db, name),
  });
  const archivedFiles = Router().use("/assets", allowMethods(["GET", "HEAD"]), async (request, response, next) => {
    const name = request.path.slice(1);
    const file = hashedName.test(name) ? await archived.fetch(name) : undefined;
    if (!file?.has("identity")) return next();
    sendHashed(request, response, file);
  });
  return {
    routes: [staticFiles(context), archivedFiles],
    jobs: [createArchiver(context, () => listFiles(context.assets, listMade()))],
  };
}

async function findArchived(db: Database | undefined, name: string): Promise<Map<string, Buffer>> {
  const names = Object.values(endings).map((ending) => name + ending);
  const found = db?.selectFrom("archivedAsset").select(["name", "content"]).where("name", "in", names);
  const rows = (await found?.execute()) ?? [];
  return new Map(
    Object.entries(endings).flatMap(([encoding, ending]) => {
      const row = rows.find((one) => one.name === name + ending);
      return row ? [[encoding, Buffer.from(row.content, "base64")]] : [];
    }),
  );
}

/** Creates the job that adds the files of this build at the start, and deletes those of builds that run no more. */
function createArchiver(context: AppContext, list: () => Promise<Files>): Job {
  let housekeeping: Job | undefined;
  return {
    async start() {
      const store = await context.openedStore();
      if (!store) return;
      const files = await list();
      await archive(store.db, files, Date.now());
      const names = [...files.keys()];
      housekeeping = createHousekeeping(() => cleanUp(store.db, names, Date.now()), store.db, context);
      await housekeeping.start();
    },
    close: async () => housekeeping?.close(),
  };
}

/** Adds files to the archive; several replicas may do so at once. */
export async function archive(db: Database, files: Files, at: Moment): Promise<void> {
  const names = [...files.keys()];
  await markUsed(db, names, at);
  const known = await db.selectFrom("archivedAsset").select("name").where("name", "in", names).execute();
  const isKnown = new Set(known.map(({ name }) => name));
  const missing = [...files].filter(([name]) => !isKnown.has(name));
  for (let start = 0; start < missing.length; start += rowsAtOnce) {
    const rows = missing.slice(start, start + rowsAtOnce).map(async ([name, read]) => {
      return { name, content: (await read()).toString("base64"), usedAt: at };
    });
    await db
      .insertInto("archivedAsset")
      .values(await Promise.all(rows))
      .onConflict((conflict) => conflict.column("name").doUpdateSet({ usedAt: at }))
      .execute();
  }
}

/** Deletes the files of builds that haven't run for 30 days. */
export async function cleanUp(db: Database, own: readonly string[], at: Moment): Promise<void> {
  await markUsed(db, own, at);
  await deleteInBatches(db, "archivedAsset", "name", sql<SqlBool>`${sql.ref("usedAt")} <= ${at - retention}`);
}

async function markUsed(db: Database, names: readonly string[], at: Moment): Promise<void> {
  await db
    .updateTable("archivedAsset")
    .set({ usedAt: at })
    .where("name", "in", names)
    .where("usedAt", "<=", at - accuracy)
    .execute();
}

/** Lists all files with hashed names that this build serves below /assets/, in each encoding. */
export async function listFiles(assets: Assets, made: ReadonlyMap<string, Buffer>): Promise<Files> {
  const isHashed = (name: string) => hashedName.test(name.replace(/\.(br|gz)$/, ""));
  const names = (await readdir(assetsFolder)).filter(isHashed);
  return new Map([
    ...names.map((name) => [name, () => readFile(join(assetsFolder, name))] as const),
    ...[...assets.made, ...made].map(([name, content]) => [name, async () => content] as const),
  ]);
}
