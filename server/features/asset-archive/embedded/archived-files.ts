import { bulkhead } from "cockatiel";
import { LRUCache } from "lru-cache";
import { type StoredFile, storeFile } from "../../../http/static-files.ts";
import type { AppContext } from "../../feature.ts";
import { isArchivable } from "../archive-names.ts";
import type { ArchivedFiles } from "../service.ts";
import { findArchived } from "./archive.ts";

/** The size of the memory cache in bytes. Few pages of earlier builds are requested, and each needs the same files. */
const cacheSize = 4_000_000;
/** The size of an entry in addition to its name and contents. */
const entrySize = 1_000;
/**
 * How many lookups run at once, and how many wait. Anybody can invent names that look like files; these must leave the
 * database's connections to sign-ups and logins.
 */
const limits = { parallel: 2, waiting: 50 };

/**
 * Reads the files of earlier builds, and caches some in memory without expiry, because the hash in a name identifies
 * the content. Unknown names aren't cached, because the next build may add them.
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
