import { Agent, get } from "node:http";
import { type Milliseconds, second } from "../../client/rules/time.ts";
import { installPeers, peers } from "./build-peers.ts";
import { formatSummary, type Measure } from "./report.ts";
import { type RunningServer, service, startServer } from "./start-server.ts";
import { percentile, summarize, summarizeRatio } from "./summarize.ts";

const path = "/login";
const rounds = 9;
const perRound = 200;

/** Measures how long a visitor waits for the first byte of the login page, beside constant bytes of its size. */
export const loginPage: Measure = {
  name: "login",
  duration: 15 * second,
  async run() {
    await installPeers();
    const page = await startServer(service, path);
    const constant = await startServer({ ...peers.constant, env: { SOURCE: `${page.origin}${path}` } }, path);
    const times = { page: [] as Milliseconds[], constant: [] as Milliseconds[] };
    await firstByte(page);
    await firstByte(constant);
    for (let round = 0; round < rounds; round++) {
      times.page.push(await firstByte(page));
      times.constant.push(await firstByte(constant));
    }
    return {
      figures: { loginPage: summarizeRatio(times.page, times.constant) },
      table: [
        ["", "time to first byte (ms)"],
        ["login page", formatSummary(summarize(times.page))],
        ["constant bytes", formatSummary(summarize(times.constant))],
      ],
    };
  },
};

/** Asks again and again, one after the other. Returns the median. */
async function firstByte({ origin }: RunningServer): Promise<Milliseconds> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times: Milliseconds[] = [];
  for (let count = 0; count < perRound; count++) times.push(await ask(`${origin}${path}`, agent));
  agent.destroy();
  return percentile(times, 0.5);
}

function ask(url: string, agent: Agent): Promise<Milliseconds> {
  const { promise, resolve, reject } = Promise.withResolvers<Milliseconds>();
  const started = performance.now();
  get(url, { agent }, (response) => {
    let time: Milliseconds = 0;
    response.once("data", () => {
      time = performance.now() - started;
    });
    response.on("end", () =>
      response.statusCode === 200 ? resolve(time) : reject(new Error(`${url}: ${response.statusCode}`)),
    );
  }).on("error", reject);
  return promise;
}
