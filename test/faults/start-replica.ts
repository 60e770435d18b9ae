import { builtService } from "../support/built-service.ts";
import { findFreePort } from "../support/find-free-port.ts";
import { type ServiceProcess, startProcess } from "../support/start-process.ts";
import type { StorePlace } from "../support/test-store.ts";

export interface Replica extends Omit<ServiceProcess, "port"> {
  port: number;
  /** Origin of the listener for shoppers. */
  origin: string;
  /** What the listener for operators says of the service. */
  metrics(): Promise<string>;
  /** Whether it says that it takes requests. */
  isReady(): Promise<boolean>;
  /** Ends it as an operator does. */
  stop(): Promise<void>;
  /** Ends it at once. */
  kill(): Promise<void>;
}

/** The variables of a service on a store, which may be there from before. */
export function onStore({ databaseUrl, dataDir }: StorePlace) {
  return { DATA_DIR: dataDir, DATABASE_URL: databaseUrl };
}

/**
 * Starts the built service without its demo, behind a proxy on this machine. Its mails become files, which production
 * refuses.
 * @param environment - what differs from that
 * @param imported - modules that are loaded in front of the service
 * @returns the service, once it is ready
 */
export async function startReplica(
  environment: Record<string, string | undefined> = {},
  imported: readonly string[] = [],
): Promise<Replica> {
  const opsPort = await findFreePort();
  const shared = { DEMO: "off", HOST: "127.0.0.1", TRUST_PROXY: "127.0.0.1", OPS_PORT: String(opsPort) };
  const set = Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const imports = imported.flatMap((file) => ["--import", file]);
  const [program, ...words] = builtService;
  const service = startProcess({ ...shared, ...Object.fromEntries(set) }, [program, ...imports, ...words]);
  const port = await service.port;
  const ops = (path: string) => fetch(`http://127.0.0.1:${opsPort}${path}`);
  return {
    ...service,
    port,
    origin: `http://127.0.0.1:${port}`,
    metrics: async () => (await ops("/metrics")).text(),
    isReady: async () => (await ops("/readyz").catch(() => undefined))?.ok ?? false,
    async stop() {
      service.signal("SIGTERM");
      await service.ended;
    },
    async kill() {
      service.signal("SIGKILL");
      await service.ended;
    },
  };
}
