import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { atLeast, none, type Proof, scaled } from "../faults/proof.ts";
import { type Replica, startReplica } from "../support/start-process.ts";
import { breakOff, json, startStub } from "../support/start-stub.ts";
import { createStorePlace } from "../support/test-store.ts";
import { cookieNames, type Sent, sendRequest } from "./send-request.ts";

/** Long enough that no random nonce, token or hash has it by chance. */
const word = "kanarienvogel";
const canary = new RegExp(`${word}\\d|198\\.1[89]\\.\\d+\\.\\d+`, "i");
const atOnce = 8;

export const canaries: Proof = {
  name: "canaries",
  does: "Sends addresses, names, passwords, tokens and network addresses that occur nowhere else through every input, while the database throws errors that name them and the real services answer with them. None is in a log, a metric or an answer that is an error.",
  async run(trial) {
    const { dataDir } = await createStorePlace();
    const hatch = createNest();
    const stub = await startStub(json("{}"));
    const answers = [
      ...[500, 200, 503, 404].map((status) => () => json(`{"${hatch.text()}": "${hatch.email()}"`, status)),
      () => json(`<p>${hatch.email()}</p>`),
      () => json(JSON.stringify({ status: hatch.text(), contentJSON: hatch.email(), dateTime: hatch.text() })),
      () => breakOff,
    ];
    stub.answer = (request, response) => {
      const draw = answers[stub.requests.length % answers.length] ?? (() => breakOff);
      response.setHeader("X-Reason", hatch.text());
      draw()(request, response);
    };
    const upstreams = ["ABTEST", "PROMOTION", "NEWSLETTER", "CUSTOMER", "LOGIN", "PREVIEW"].map((name) => [
      `UPSTREAM_${name}_URL`,
      stub.origin,
    ]);
    const embedded = await startReplica({ DATA_DIR: dataDir, LOG_LEVEL: "trace" });
    const real = await startReplica({ LOG_LEVEL: "trace", ...Object.fromEntries(upstreams) });

    const wanted = scaled(10_000, trial, 500);
    const found: string[] = [];
    await send([embedded, real], wanted / 2);
    breakDatabase(dataDir);
    await send([embedded, real], wanted / 2);
    for (const service of [embedded, real]) {
      found.push(...linesWithCanary("log", service.stdout() + service.stderr()));
      found.push(...linesWithCanary("metrics", await service.metrics()));
      await service.kill();
    }
    return [atLeast("canaries", hatch.count(), wanted), none("canaries that sang", found)];

    async function send(services: readonly Replica[], more: number) {
      const until = hatch.count() + more;
      const work = async () => {
        while (hatch.count() < until) for (const service of services) await sendAll(service);
      };
      await Promise.all(Array.from({ length: atOnce }, work));
    }

    async function sendAll(service: Replica) {
      for (const request of requests(hatch)) {
        const answer = await sendRequest(service.port, request);
        if (!answer || answer.status < 400) continue;
        // Answers of a real service are forwarded.
        if (service === real && request.path.startsWith("/service/")) continue;
        // The form shows visitors their own input.
        const isForm = answer.headers["content-type"]?.includes("html") && request.method === "POST";
        const said = `${JSON.stringify(answer.headers)}\n${isForm ? "" : answer.body}`;
        found.push(...linesWithCanary(`${request.method} ${answer.status}`, said));
      }
    }
  },
};

/** Creates canaries, each of them unique. */
function createNest() {
  let count = 0;
  const text = () => `${word}${String(count++).padStart(6, "0")}`;
  return {
    count: () => count,
    text,
    email: () => `${text()}@shop.example`,
    token: () => text().padEnd(32, "x"),
    network() {
      count++;
      return `198.${18 + ((count >> 16) & 1)}.${(count >> 8) & 255}.${count & 255}`;
    },
  };
}

/** Returns one request for each place that accepts something from a visitor. */
function requests({ text, email, token, network }: ReturnType<typeof createNest>): Sent[] {
  const headers = () => ({
    Host: "de.localhost",
    Accept: "text/html",
    "X-Forwarded-For": network(),
    "X-Original-Address": network(),
    "X-hunter-csrf": text(),
    "Sec-Fetch-Site": "same-origin",
    "User-Agent": text(),
    Authorization: `Bearer ${token()}`,
    Referer: `http://de.localhost/?email=${email()}`,
    Cookie: cookieNames.map((name) => `${name}=${text()}`).join("; "),
  });
  const get = (path: string) => ({ method: "GET", path, headers: headers() });
  const post = (path: string, body: object, method = "POST") => ({
    method,
    path,
    headers: { ...headers(), "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const form = (path: string, fields: Record<string, string>) => ({
    method: "POST",
    path,
    headers: { ...headers(), "Content-Type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(fields).toString(),
  });
  const newsletter = "/service/newsletter/api/internal/newsletter-subscribers";
  const preview = "/service/preview/api";
  const person = () => ({ email: email(), firstName: text(), lastName: text(), consents: ["NEWSLETTER"] });
  return [
    post(`${newsletter}?email=${email()}`, person()),
    post(newsletter, { ...person(), email: `${text()}@`, salutation: text() }),
    { ...post(newsletter, {}), body: `{"email": "${email()}", ${text()}` },
    get(`${newsletter}/${token()}`),
    post(`${newsletter}/${token()}`, { firstName: text() }, "PUT"),
    post("/service/login/api/v1/login", { email: email(), password: text() }),
    post("/service/login/api/v1/logintoken/renew", {}),
    post(`${preview}/auth/login`, { user: email(), password: text() }),
    post(`${preview}/token?test=${text()}&group=${text()}`, { previewDateTime: text() }),
    get(`${preview}/auth/checkauth`),
    get(`/service/promotion/api/promotion/${text()}`),
    get("/service/newsletter/api/private/customers/base-data"),
    get("/service/customerfrontenddata/api/v1/psdata"),
    form("/login", { email: email(), password: text() }),
    form("/newsletter", { email: email(), firstName: text(), lastName: text() }),
    form("/newsletter/confirm", { token: token() }),
    form("/newsletter/preferences", { token: token(), firstName: text() }),
    form("/newsletter/preferences", { email: email() }),
    form("/preview", { user: email(), password: text(), share: token() }),
    get(`/newsletter/confirm?token=${token()}`),
    get(`/newsletter/preferences?token=${token()}`),
    get(`/preview?share=${token()}`),
    get(`/login?redirect=/${text()}`),
    get(`/fragments/footer?site=${text()}`),
    get(`/fragments/${text()}?email=${email()}`),
    get(`/${text()}?email=${email()}`),
    get("/subscribenewsletter"),
  ];
}

/** Makes the database refuse every change, with errors that contain its values. */
function breakDatabase(dataDir: string) {
  const database = new DatabaseSync(join(dataDir, "storefront.sqlite"), { timeout: 5_000 });
  for (const [table, column] of [
    ["newsletter_subscription", "email"],
    ["mail_outbox", "recipient"],
    ["rate_limit", "key"],
  ])
    database.exec(
      `create trigger break_${table} before insert on ${table} begin select raise(abort, 'no ' || new.${column}); end`,
    );
  database.close();
}

function linesWithCanary(place: string, text: string): string[] {
  return text.split("\n").flatMap((line) => (canary.test(line) ? [`${place}: ${line}`] : []));
}
