import type { StoredFile } from "../../http/static-files.ts";

/** The files of earlier builds. */
export interface ArchivedFiles {
  /**
   * Finds a file by its name in the archive.
   * @throws BulkheadRejectedError if too many lookups are waiting, or what the store throws
   */
  find(name: string): Promise<StoredFile | undefined>;
  /** Whether a file is in memory. */
  has(name: string): boolean;
}
