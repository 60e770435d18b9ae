import type { Job } from "../../../platform/lifecycle.ts";
import { createHousekeeping } from "../../../store/housekeeping.ts";
import type { AppContext } from "../../feature.ts";
import { archive, cleanUp, type Files, hasReplacedImages } from "./archive.ts";

/** The `Surrogate-Key` values of responses that show an image, and of the images. */
const keysWithImages = ["fragment-footer", "fragment-newsletter", "images"];

export type PurgeKey = (key: string) => Promise<void>;

/** Creates the job that adds the files of this build at the start, and deletes those of builds that no longer run. */
export function createArchiver(context: AppContext, list: () => Promise<Files>, images: Files, purge?: PurgeKey): Job {
  let housekeeping: Job | undefined;
  return {
    async start() {
      const store = await context.openedStore();
      if (!store) return;
      const files = new Map([...(await list()), ...images]);
      await archive(store.db, files, Date.now());
      if (purge && (await hasReplacedImages(store.db, images, Date.now())))
        for (const key of keysWithImages) await purge(key);
      const names = [...files.keys()];
      housekeeping = createHousekeeping(() => cleanUp(store.db, names, Date.now()), store.db, context);
      await housekeeping.start();
    },
    close: async () => housekeeping?.close(),
  };
}
