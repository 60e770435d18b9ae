import { onTestFinished } from "vitest";
import { testLogger } from "../support/test-app.ts";
import { createStorePlace, openTestStore } from "../support/test-store.ts";
import { startLine } from "./start-line.ts";

/** Opens a store on a database of its own, over a line that can be cut. The database's address goes past the line. */
export async function openStoreOverLine() {
  const { dataDir, databaseUrl = "" } = await createStorePlace();
  const url = new URL(databaseUrl);
  const line = await startLine(Number(url.port));
  onTestFinished(line.cut);
  url.port = String(line.port);
  const store = await openTestStore(testLogger, { dataDir, databaseUrl: url.href });
  return { databaseUrl, line, store };
}
