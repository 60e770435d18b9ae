import { type Milliseconds, second } from "../../client/rules/time.ts";
import { addAccount } from "../../server/accounts/accounts.ts";
import { createLogger } from "../../server/platform/logger.ts";
import { openStore } from "../../server/store/open-store.ts";
import type { Edge } from "../edge/run-edge.ts";
import { startNginx, startVarnish } from "../edge/start-edges.ts";
import { pageOf, startPages } from "../edge/start-pages.ts";
import { type Answer, type Sent, sendRequest } from "../fuzz/send-request.ts";
import { findFreePort } from "../support/find-free-port.ts";
import { onStore, type Replica, startReplica } from "../support/start-process.ts";
import { createStorePlace, type StorePlace } from "../support/test-store.ts";
import { atLeast, type Figure, none, type Proof, scaled } from "./proof.ts";
import { createVisitors, networkOf, settleSignUps, type Visitors } from "./visitors.ts";

/** How long an edge waits for a fragment. */
const longestWait: Milliseconds = second;
const footer = 'data-fragment="footer"';
const customer = { email: "ada@shop.example", password: "correct horse battery staple" };

export const rollOut: Proof = {
  name: "roll-out behind an edge",
  does: "Replaces two replicas on one PostgreSQL database one after the other, as docs/update.md says, behind the recipes of nginx and Varnish. Meanwhile visitors open pages with includes and the login page, log in, renew their session and sign up, without a pause. Nobody repeats a request but the edge.",
  async run(trial) {
    const place = await createStorePlace(undefined, trial.postgresUrl);
    await addCustomer(place);
    const start = (port: number) => startReplica({ ...onStore(place), PORT: String(port) });
    const replicas: [Replica, Replica] = [await start(await findFreePort()), await start(await findFreePort())];
    const origins = [replicas[0].origin, replicas[1].origin] as const;
    const pages = await startPages();
    const edges = {
      nginx: await startNginx(trial.nginxPath, origins, pages.origin),
      Varnish: await startVarnish(trial.varnishPath, origins, pages.origin),
    };
    /** Whether any replica opens a page within a second. A replica that is starting, or on a busy machine, doesn't. */
    const isAnyReady = () =>
      Promise.any(
        origins.map(async (origin) => {
          const { ok } = await fetch(`${origin}/login`, { signal: AbortSignal.timeout(second) });
          if (!ok) throw new Error("not ready");
        }),
      ).then(
        () => true,
        () => false,
      );
    let isOver = false;
    const visitors = createVisitors(signUp);
    const crowds = Object.entries(edges).map(([name, edge]) =>
      visit(name, edge, { visitors, isAnyReady, isOver: () => isOver }),
    );

    const rounds = scaled(20, trial);
    for (let round = 0; round < rounds; round++)
      for (const index of [0, 1] as const) {
        await replicas[index].stop();
        replicas[index] = await start(replicas[index].port);
      }
    isOver = true;
    const met = await Promise.all(crowds);
    await Promise.all(replicas.map((replica) => replica.kill()));
    await Promise.all([pages.close(), ...Object.values(edges).map((edge) => edge.stop())]);
    return [
      atLeast("replaced replicas", rounds * replicas.length, scaled(20, trial) * 2),
      ...met.flat(),
      ...(await settleSignUps("PostgreSQL", place, visitors)),
    ];
  },
};

async function addCustomer(place: StorePlace): Promise<void> {
  const { db, close } = await openStore({ ...place, logger: createLogger({ level: "warn" }) });
  await addAccount(db, "customer", customer);
  await close();
}

const browser = { Host: "de.localhost", Origin: "http://de.localhost", "X-hunter-csrf": "1" };

/** Sends a POST to an edge as a script in the browser does. */
function post(port: number, path: string, body: object, more: Partial<Sent> = {}) {
  const headers = { ...browser, "Content-Type": "application/json", ...more.headers };
  return sendRequest(port, { ...more, method: "POST", path, headers, body: JSON.stringify(body) });
}

/** Signs an address up, from a network of its own. */
async function signUp(port: number, email: string) {
  const path = "/service/newsletter/api/internal/newsletter-subscribers";
  return (await post(port, path, { email }, { localAddress: `127.${networkOf(email)}` }))?.status;
}

/**
 * Lets two visitors use an edge until it is over. A replica that starts on a busy machine would reject more.
 * @param isAnyReady - asked after a fault, which counts only if a replica could have answered
 * @returns the number of their requests, and what failed
 */
async function visit(
  edge: string,
  { origin }: Edge,
  { visitors, isAnyReady, isOver }: { visitors: Visitors; isAnyReady(): Promise<boolean>; isOver(): boolean },
): Promise<Figure[]> {
  const port = Number(new URL(origin).port);
  const include = edge === "nginx" ? "ssi" : "esi";
  const failed: string[] = [];
  let asked = 0;
  let cookie = "";
  const keptFooter = "/fragments/footer/DE";
  const newFooter = () => `/fragments/footer/DE?copy=${asked}`;
  const open = async (path: string) => {
    const answer = await sendRequest(port, { method: "GET", path, headers: browser });
    return answer?.status === 200 && answer.body.includes(footer) ? undefined : describe(answer);
  };
  /** A footer without a copy. An edge omits it after a second, which can pass on a busy machine. */
  const openNew = async (path: string) => {
    const askedAt = performance.now();
    const fault = await open(path);
    return performance.now() - askedAt < longestWait ? fault : undefined;
  };
  const call = async (path: string, body: object, expected: number) => {
    const answer = await post(port, `/service/login/api/v1/${path}`, body, { headers: { Cookie: cookie } });
    cookie = answer?.headers["set-cookie"]?.map((text) => text.split(";")[0]).join("; ") ?? cookie;
    return answer?.status === expected ? undefined : describe(answer);
  };
  /** Does one thing after the other, repeatedly. Each returns what was wrong. */
  const repeat = async (things: Record<string, () => Promise<string | undefined>>) => {
    while (!isOver())
      for (const [name, doIt] of Object.entries(things)) {
        asked++;
        const fault = await doIt().catch((error: Error) => error.message);
        if (fault !== undefined && (await isAnyReady())) failed.push(`${name}: ${fault}`);
      }
  };
  await open(keptFooter);
  const pages = repeat({
    "a page with a kept footer": () => open(pageOf(include, keptFooter)),
    "a page with a new footer": () => openNew(pageOf(include, newFooter())),
    "a new footer": () => openNew(newFooter()),
    "the login page": () => open("/login"),
  });
  const calls = repeat({
    "a sign-up": async () => ((await visitors.signUp(port)) ? undefined : "no answer"),
    "a login": () => call("login", customer, 200),
    "a renewal": () => call("logintoken/renew", {}, 201),
    "another sign-up": async () => ((await visitors.signUp(port)) ? undefined : "no answer"),
  });
  await Promise.all([pages, calls]);
  return [atLeast(`requests through ${edge}`, asked, 100), none(`failed through ${edge}`, failed)];
}

const describe = (answer?: Answer) => (answer ? `${answer.status} ${answer.body.slice(0, 100)}` : "no answer");
