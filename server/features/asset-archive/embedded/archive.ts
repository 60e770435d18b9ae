import { type SqlBool, sql } from "kysely";
import { day, type Milliseconds, type Moment, minute } from "../../../../client/rules/time.ts";
import type { ImageFile } from "../../../brand/load-images.ts";
import { type ImageKind, imageKinds } from "../../../http/image-files.ts";
import { deleteInBatches } from "../../../store/housekeeping.ts";
import type { Database } from "../../../store/open-store.ts";
import { imageName } from "../archive-names.ts";

declare module "../../../store/tables.ts" {
  interface Tables {
    /** The browser's files of every build that runs or has recently run. */
    archivedAsset: {
      /**
       * The path below /assets/, or `<kind>/<name>` of an image with the hash of its content. Ends with the extension
       * of its encoding.
       */
      name: string;
      /** Base64. */
      content: string;
      /** When a service last had the file in its own build. */
      usedAt: Moment;
    };
  }
}

/**
 * How long the files of a build stay available after its last replica has ended, for pages that edges and browsers
 * keep.
 */
const retention: Milliseconds = 30 * day;
/** How precisely the end of a build's last run is known. */
const accuracy: Milliseconds = 60 * minute;

/** Rows per insert. Each is a file of up to 300 kB. */
const rowsAtOnce = 10;

/** Functions that read files on demand, by name. */
export type Files = ReadonlyMap<string, () => Promise<Buffer>>;

/** The extension of each encoding, the smallest file first. */
const endings = { br: ".br", gzip: ".gz", identity: "" };

/** Finds a file in each of its encodings, the smallest first; empty for an unknown one. */
export async function findArchived(db: Database, name: string): Promise<[encoding: string, content: Buffer][]> {
  const names = Object.values(endings).map((ending) => name + ending);
  const rows = await db.selectFrom("archivedAsset").select(["name", "content"]).where("name", "in", names).execute();
  return Object.entries(endings).flatMap(([encoding, ending]) => {
    const row = rows.find((one) => one.name === name + ending);
    return row ? [[encoding, Buffer.from(row.content, "base64")]] : [];
  });
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

/** Whether images of this build replace other ones, which a replica has shown in the last two hours. */
export async function hasReplacedImages(db: Database, images: Files, at: Moment): Promise<boolean> {
  const withoutHash = (name: string) => name.replace(/-[A-Z0-9]{8}\.\w+$/, "");
  const own = new Set([...images.keys()].map(withoutHash));
  const shown = await db
    .selectFrom("archivedAsset")
    .select("name")
    .where((row) => row.or(imageKinds.map((kind) => row("name", "like", `${kind}/%`))))
    .where("usedAt", ">", at - 2 * accuracy)
    .execute();
  return shown.some(({ name }) => !images.has(name) && own.has(withoutHash(name)));
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

/** Lists images by their names in the archive. */
export function listImages(images: Record<ImageKind, ReadonlyMap<string, ImageFile>>): Files {
  const listed = imageKinds.flatMap((kind) =>
    Array.from(
      images[kind].values(),
      ({ file, hash, content }) => [imageName(kind, file, hash), async () => content] as const,
    ),
  );
  return new Map(listed);
}
