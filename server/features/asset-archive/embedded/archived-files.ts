import { bulkhead } from "cockatiel";
import { LRUCache } from "lru-cache";
import { type StoredFile, storeFile } from "../../../http/static-files.ts";
import type { AppContext } from "../../feature.ts";
import { isArchivable } from "../archive-names.ts";
import type { ArchivedFiles } from "../service.ts";
import { findArchived } from "./archive.ts";

/** Bytes of files in memory. Few pages of earlier builds are asked for, each for the same files. */
const cacheSize = 4_000_000;
/** Size of an entry beside its name and contents. */
const entrySize = 1_000;
/**
 * Look-ups at once, and those that wait. There is no end of names that look like a file's: they must leave the database's
 * connections to sign-ups and logins.
 */
const limits = { parallel: 2, waiting: 50 };

/**
 * Reads the files of earlier builds, and keeps some in memory for good: the hash in a name stands for its content. Names
 * that the archive doesn't have aren't kept, as the next build may bring them.
 */
export function createArchivedFiles({ openedStore }: Pick<AppContext, "openedStore">): ArchivedFiles {
  const lookups = bulkhead(limits.parallel, limits.waiting);
  const files = new LRUCache<string, StoredFile>({
    maxSize: cacheSize,
    sizeCalculation: (file, name) =>
      [...file.values()].reduce((bytes, { content }) => bytes + content.length, entrySize + name.length),
    fetchMethod: (name) => lookups.execute(() => read(name)),
  });
  return {
    find: async (name) => (isArchivable(name) ? files.fetch(name) : undefined),
    has: (name) => files.peek(name) !== undefined,
  };

  async function read(name: string): Promise<StoredFile | undefined> {
    const store = await openedStore();
    const file = store && storeFile(await findArchived(store.db, name));
    return file?.has("identity") ? file : undefined;
  }
}
