import { randomInt } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { Client } from "pg";
import { type Postgres, startPostgres } from "../postgres/start-postgres.ts";
import { type ComposeService, composeFolder, readCompose, readImage } from "./read-compose.ts";
import { type MailCatcher, startMailCatcher } from "./start-mail-catcher.ts";
import { type Program, type ProgramPlan, startProgram } from "./start-program.ts";

/** What isn't a program that is started as compose.yaml says. */
interface StandIns {
  postgres: Postgres;
  mailpit: MailCatcher;
}

export interface Stack extends StandIns {
  /** Gives a service of compose.yaml that is a program here. */
  programOf(service: string): Program;
  /** The address of a service on this machine. Its ports are those of its container. */
  addressOf(service: string): string;
  /** Where a file of a service's container lies. */
  fileOf(service: string, path: string): string;
  stop(): Promise<void>;
}

export interface StackChanges {
  /** Changes what a file that is mounted says, by its path in the container. */
  files?: Record<string, (text: string) => string>;
}

/** Lets Prometheus look every second in place of every five. */
export const scrapeEachSecond = {
  "/etc/prometheus/prometheus.yml": (text: string) => text.replaceAll(/\b[45]s\b/g, "1s"),
};

/** What a container runs where compose.yaml names arguments alone. */
const entrypoints: Record<string, string[]> = { "prom/prometheus": ["prometheus"] };
/** What is told to nginx, Varnish and others by their paths alone. */
const path = `${process.env.PATH}:/usr/sbin`;

/**
 * Starts the parts of deploy/compose without containers: each with the command, the variables and the files that
 * compose.yaml names. This differs:
 * - A service has an address of this machine in place of one of its own network. Names are replaced by it wherever they
 *   stand before a port, and so is 0.0.0.0. Whoever connects does so from 127.0.0.1, so that stands for other addresses.
 * - What is mounted lies in a folder, whose path takes the place of the container's.
 * - PostgreSQL is that of the tests at a port of its own, a small mail server stands for Mailpit, and Grafana isn't there.
 * - nginx, Varnish and Prometheus are those of Debian, and run with the rights of the tests.
 */
export async function startStack({ files = {} }: StackChanges = {}): Promise<Stack> {
  const services = readCompose();
  const image = readImage();
  const folder = mkdtempSync(join(tmpdir(), "stack-"));
  const addresses = giveAddresses(services);
  const postgres = await startPostgres();
  const postgresPort = new URL(postgres.url).port;
  await createDatabase(postgres, services.postgres?.environment ?? {});
  const mailpit = await startMailCatcher(addressOf("mailpit"), 1025);

  const programs = new Map<string, Program>();
  const started = new Map<string, Promise<void>>();
  const standIns = new Set(["postgres", "mailpit", "grafana"]);
  try {
    await Promise.all(Object.keys(services).map(start));
  } catch (error) {
    await stop();
    throw error;
  }
  return { programOf, addressOf, fileOf, postgres, mailpit, stop };

  /** Starts a service once those are there that it depends on. */
  function start(name: string): Promise<void> {
    const starting = started.get(name) ?? startAfterOthers(name);
    started.set(name, starting);
    return starting;
  }

  async function startAfterOthers(name: string): Promise<void> {
    const service = services[name];
    if (!service) throw new Error(`compose.yaml has no service ${name}`);
    const { depends_on: others = [] } = service;
    await Promise.all((Array.isArray(others) ? others : Object.keys(others)).map(start));
    if (standIns.has(name)) return;
    const program = await startProgram(planOf(name, service));
    programs.set(name, program);
  }

  function planOf(name: string, service: ComposeService): ProgramPlan {
    for (const target of [...mountsOf(service).keys()]) mount(name, service, target);
    const isOurs = service.image === "storefront-fragments";
    const command = [
      ...(entrypoints[service.image.split(":")[0] ?? ""] ?? []),
      ...(service.command ?? (isOurs ? image.command : [])),
    ];
    const localize = (text: string) => replaceNames(name, service, text);
    const environment = { ...(isOurs && image.environment), ...service.environment };
    const words = command.map((word) => (word === "daemon off;" ? `${word}${asRoot}` : localize(word)));
    return {
      name,
      command: words.map((word) => (word === "node" ? process.execPath : word)),
      environment: {
        PATH: path,
        ...Object.fromEntries(Object.entries(environment).map(([variable, text]) => [variable, localize(text)])),
      },
      ready: readyOf(name),
    };
  }

  /** Gives the address that answers once a service is ready; undefined for what ends by itself. */
  function readyOf(name: string): string | undefined {
    const ports: Record<string, string> = {
      nginx: "3000/livez",
      varnish: "8080/",
      prometheus: "9090/-/ready",
      "storefront-1": "9464/readyz",
      "storefront-2": "9464/readyz",
    };
    const port = ports[name];
    return port && `http://${addressOf(name)}:${port}`;
  }

  /** Puts what is mounted where the program finds it. */
  function mount(name: string, service: ComposeService, target: string): void {
    const source = mountsOf(service).get(target);
    const place = fileOf(name, target);
    if (!source) {
      mkdirSync(place, { recursive: true });
      return;
    }
    mkdirSync(dirname(place), { recursive: true });
    if (statSync(source).isDirectory()) {
      cpSync(source, place, { recursive: true });
      return;
    }
    const change = files[target] ?? ((text: string) => text);
    writeFileSync(place, change(replaceNames(name, service, readFileSync(source, "utf8"))));
  }

  function fileOf(name: string, target: string): string {
    const volume = services[name]?.volumes?.map((text) => text.split(":")).find(([, place]) => place === target)?.[0];
    return volume && !volume.startsWith(".") ? join(folder, "volumes", volume) : join(folder, name, target);
  }

  function replaceNames(name: string, service: ComposeService, text: string): string {
    const targets = [...mountsOf(service).keys()].sort((one, other) => other.length - one.length);
    const places = targets.map((target) => `(?<![\\w./-])${target}(?![\\w.-])`);
    const names = `(?<![\\w.-])(?:${[...addresses.keys()].join("|")})(?=:\\d)`;
    const hosts = `(?<=\\.host = ")(?:${[...addresses.keys()].join("|")})(?=")`;
    const pattern = [...places, "postgres:5432", names, hosts, "0\\.0\\.0\\.0", "172\\.30\\.87\\.\\d+"].join("|");
    return text.replaceAll(new RegExp(pattern, "g"), (found) => {
      if (targets.includes(found)) return fileOf(name, found);
      if (found === "postgres:5432") return `127.0.0.1:${postgresPort}`;
      if (found === "0.0.0.0") return addressOf(name);
      return addresses.get(found) ?? "127.0.0.1";
    });
  }

  function programOf(service: string): Program {
    const program = programs.get(service);
    if (!program) throw new Error(`${service} is no program here`);
    return program;
  }

  function addressOf(service: string): string {
    const address = addresses.get(service);
    if (!address) throw new Error(`compose.yaml has no service ${service}`);
    return address;
  }

  async function stop(): Promise<void> {
    await Promise.allSettled(started.values());
    await Promise.all([...programs.values()].map((program) => program.stop("SIGKILL")));
    await mailpit.stop();
    await postgres.stop();
    rmSync(folder, { recursive: true });
  }
}

const asRoot = process.getuid?.() === 0 ? " user root;" : "";

/** Gives each service an address of this machine by its names, which no other run of the tests has. */
function giveAddresses(services: Record<string, ComposeService>): Map<string, string> {
  const network = `127.${randomInt(64, 255)}.${randomInt(0, 255)}`;
  return new Map(
    Object.entries(services).flatMap(([name, { networks }], index) =>
      [name, ...(networks?.default.aliases ?? [])].map((alias) => [alias, `${network}.${index + 1}`] as const),
    ),
  );
}

/** Lists where something is mounted in a container, and which file of the repository that is; none for an empty folder. */
function mountsOf({ volumes = [], tmpfs = [] }: ComposeService): Map<string, string | undefined> {
  return new Map([
    ...volumes.map((text) => {
      const [source = "", target = ""] = text.split(":");
      return [target, source.startsWith(".") ? resolve(composeFolder, source) : undefined] as const;
    }),
    ...tmpfs.map((text) => [text.split(":")[0] ?? "", undefined] as const),
  ]);
}

async function createDatabase(
  { url }: Postgres,
  { POSTGRES_USER = "", POSTGRES_PASSWORD = "", POSTGRES_DB = "" }: Record<string, string>,
): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const [user, database] = [POSTGRES_USER, POSTGRES_DB].map((name) => client.escapeIdentifier(name));
  await client.query(`create role ${user} login password ${client.escapeLiteral(POSTGRES_PASSWORD)}`);
  await client.query(`create database ${database} owner ${user}`);
  await client.end();
}
