import { execFile } from "node:child_process";
import { once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type Server,
} from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { bulkhead } from "cockatiel";
import { request as send } from "undici";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { day } from "../../../client/rules/time.ts";
import { addAccount } from "../../../server/accounts/accounts.ts";
import { checkService } from "../../../server/commands/check-upstream/check-service.ts";
import type { Report } from "../../../server/commands/check-upstream/findings.ts";
import type { ServiceName } from "../../../server/config/real-services.ts";
import { footerTextLocale } from "../../../server/sites/site.ts";
import { listOperations, readDocument } from "../../../server/upstream/service-documents.ts";
import { newAddress } from "../../support/new-address.ts";
import { callerOf, lastMail, openNewsletter, signUp } from "../../support/newsletter-test.ts";
import { runCommand } from "../../support/run-command.ts";
import { createTestApp, siteOf, texts } from "../../support/test-app.ts";

interface PassedAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  cookies: string[];
  body: Buffer;
}

/** A proxy's change to a call of a service that works. */
interface Plant {
  /** Method and documented path of the call, if it differs from the one that names the deviation. */
  at?: string;
  /** Changes the headers that the service gets. */
  asked?(headers: IncomingHttpHeaders): void;
  /** Changes what the service answers. */
  answered?(answer: PassedAnswer, request: IncomingMessage): unknown;
  /** Whether it hides other deviations, so that it must be planted in a service of its own. */
  alone?: boolean;
}

/** A deviation: its description, the field that must name it, and the change. */
type Row = [what: string, field: string, plant: Plant];

/** Changes the answers with a status. */
const answering = (status: number, change: (answer: PassedAnswer) => unknown): Plant => ({
  answered: (answer) => answer.status === status && change(answer),
});

const status = (from: number, to: number) => answering(from, (answer) => Object.assign(answer, { status: to }));

/** Changes the JSON of answers with a status. */
const body = (change: (value: Record<string, unknown>) => unknown, status = 200) =>
  answering(status, (answer) => {
    answer.body = Buffer.from(JSON.stringify(change(JSON.parse(answer.body.toString()))));
  });

const without = (name: string): Plant => ({ answered: ({ headers }) => delete headers[name] });

/** Changes a cookie of any answer; an empty text removes it. */
const cookie = (name: string, change: (text: string) => string): Plant => ({
  answered(answer) {
    const changed = answer.cookies.map((text) => (text.startsWith(`${name}=`) ? change(text) : text));
    answer.cookies = changed.filter((text) => text !== "");
  },
});

/** Removes a part of a cookie. */
const cut = (name: string, part: string) => cookie(name, (text) => text.replace(part, ""));

/** Changes fields of the JSON of answers of success; undefined removes one. */
const fields = (changes: object) => body((value) => ({ ...value, ...changes }));

/** Changes what scripts read of a session. */
const clock = (change: (claims: { exp: number }) => object) =>
  cookie("LoginToken", (text) =>
    text.replace(/\.([\w-]+)\./, (_all, payload) => {
      const claims = JSON.parse(Buffer.from(payload, "base64url").toString());
      return `.${Buffer.from(JSON.stringify({ ...claims, ...change(claims) })).toString("base64url")}.`;
    }),
  );

/** Plants a change that hides other deviations. */
const alone = (plant: Plant): Plant => ({ ...plant, alone: true });

/** Plants something in every second one of the answers with a status. */
const everySecond = (status: number, { answered }: Plant): Plant => {
  let count = 0;
  return {
    answered(answer, request) {
      if (answer.status === status) count++;
      if (answer.status === status && count % 2 === 0) answered?.(answer, request);
    },
  };
};

/** Replaces a header of the request. */
const asked = (name: string, change: (value: unknown) => unknown): Plant => ({
  asked: (headers) => Object.assign(headers, { [name]: change(headers[name]) }),
});

const login = "/service/login/api/v1";
const preview = "/service/preview/api";
const subscribers = "/service/newsletter/api/{api}/newsletter-subscribers";
const customers = "/service/newsletter/api/private/customers";
const psdata = "/service/customerfrontenddata/api/v1/psdata";
const password = "correct horse battery staple";
const longtermToken = "LongtermToken=x; Path=/; HttpOnly; Secure; SameSite=Lax";

function closeSoon(_answer: PassedAnswer, { socket }: IncomingMessage): void {
  setTimeout(() => socket.destroy(), 500);
}

function requireCsrf(answer: PassedAnswer, { headers }: IncomingMessage): void {
  if (!headers["x-hunter-csrf"]) answer.status = 403;
}

/** The changes planted in each call, unless they are planted elsewhere. */
const calls: [service: ServiceName, call: string, ...rows: Row[]][] = [
  [
    "login",
    `POST ${login}/login`,
    ["a credential for scripts", "cookie login: HttpOnly", cut("login", "; HttpOnly")],
    ["a clock not for scripts", "cookie LoginToken: HttpOnly", cookie("LoginToken", (text) => `${text}; HttpOnly`)],
    ["another name of a cookie", "cookie login", alone(cookie("login", (text) => text.replace("login", "session")))],
    ["a cookie of one path", "cookie login: Path", cookie("login", (text) => text.replace("Path=/", "Path=/service"))],
    ["a cookie for plain http", "cookie login: Secure", cut("login", "; Secure")],
    ["a cookie for other sites", "cookie login: SameSite", cookie("login", (text) => text.replace("Lax", "None"))],
    ["no long-term token", "cookie LongtermToken", cookie("LongtermToken", () => "")],
    ["a long-term token for all", "cookie LongtermToken", cookie("LongtermToken", () => longtermToken)],
    ["exp in milliseconds", "LoginToken.exp", alone(clock(({ exp }) => ({ exp: exp * 1000 })))],
    ["exp in the past", "LoginToken.exp", alone(clock(({ exp }) => ({ exp: exp - 30 * 86_400 })))],
    ["ren after exp", "LoginToken.ren", clock(({ exp }) => ({ ren: exp + 60 }))],
    ["lid for all", "LoginToken.lid", clock(() => ({ lid: "7" }))],
    ["no JWT", "LoginToken", alone(cookie("LoginToken", (text) => text.replaceAll(".", "-")))],
    ["404 for strangers", "status", alone(status(401, 404))],
    ["500 for half a body", "status", status(400, 500)],
    ["a limit without its end", "Retry-After", without("retry-after")],
    ["an error without its type", "/type", body(({ type: _, ...error }) => error, 401)],
  ],
  [
    "login",
    `POST ${login}/logintoken/renew`,
    ["a renewed credential for scripts", "cookie login: HttpOnly", cut("login", "; HttpOnly")],
    ["one renewal per session", "status", alone(everySecond(201, status(201, 401)))],
    ["500 for strangers", "status", status(401, 500)],
    ["an end that comes closer", "LoginToken.exp", clock(({ exp }) => ({ exp: exp - 1000 }))],
    ["calls of other sites", "status", asked("sec-fetch-site", (value) => value && "same-origin")],
    [
      "a session after its logout",
      "status",
      alone({ ...asked("cookie", () => undefined), at: `POST ${login}/logout` }),
    ],
  ],
  [
    "login",
    `POST ${login}/logout`,
    ["a cookie that stays", "cookie LongtermToken", cookie("LongtermToken", () => "")],
    ["calls without X-hunter-csrf", "status", asked("x-hunter-csrf", () => "1")],
  ],
  [
    "newsletter",
    `PUT ${subscribers}/{token}/doi`,
    [
      "a page without a type",
      "body",
      alone(
        answering(200, (answer) => {
          delete answer.headers["content-type"];
          answer.body = Buffer.from("<!doctype html>");
        }),
      ),
    ],
  ],
  ["login", `DELETE ${login}/logout`, ["404 for a wrong method", "status", status(405, 404)]],
  ["login", `OPTIONS ${login}/login`, ["no methods", "Allow", without("allow")]],
  ["login", "GET /service/", ["connections that close soon", "connection", alone({ answered: closeSoon })]],
  [
    "preview",
    `GET ${preview}/auth/checkauth`,
    ["no answer within a second", "answer", alone({ answered: () => new Promise(() => undefined) })],
    ["another time than the chosen one", "/dateTime", fields({ dateTime: "2026-01-01T00:00:00Z" })],
    ["success for nobody", "status", status(401, 200)],
  ],
  [
    "preview",
    `POST ${preview}/token`,
    ["a choice for scripts", "cookie PreviewContext: HttpOnly", cut("PreviewContext", "; HttpOnly")],
  ],
  ["preview", `POST ${preview}/auth/login`, ["a password in the answer", "/status", fields({ status: password })]],
  ["preview", `POST ${preview}/auth/login/renew`, ["an unknown status", "/status", fields({ status: "RENEWED" })]],
  [
    "customer",
    `GET ${customers}/base-data`,
    ["a customer without an address", "/email", alone(fields({ email: undefined }))],
    ["a salutation in words", "/salutation", fields({ salutation: "Frau" })],
    ["a text for consents", "/consents", fields({ consents: "DNE" })],
    ["500 for strangers", "status", status(401, 500)],
  ],
  ["customer", `GET ${customers}/newsletter-status`, ["a wrong type", "/status", fields({ status: true })]],
  ["customer", `GET ${psdata}`, ["another's address", "/email", fields({ email: "bea@shop.example" })]],
  [
    "newsletter",
    `POST ${subscribers}`,
    ["a wrong type of error", "/type", body((error) => ({ ...error, type: "INVALID_REQUEST" }), 400)],
    [
      "an answer of its own for known addresses",
      "body",
      everySecond(
        202,
        body(() => ({ status: "KNOWN" }), 202),
      ),
    ],
    ["calls without an origin", "status", asked("sec-fetch-site", (value) => value ?? "same-origin")],
  ],
  [
    "newsletter",
    `PUT ${subscribers}/{token}/doi`,
    ["a link that confirms once", "status", everySecond(200, status(200, 404))],
    ["404 for expired links", "status", status(410, 404)],
  ],
  [
    "newsletter",
    `POST ${subscribers}/{token}/unsubscribe`,
    ["no unsubscribing by a mail program", "status", { answered: requireCsrf }],
  ],
  ["newsletter", `PUT ${subscribers}/{token}`, ["no changed fields", "/firstName", body(() => ({}))]],
  [
    "newsletter",
    `GET ${subscribers}/{token}/preferences`,
    ["a status of its own", "/status", alone(fields({ status: "ACTIVE" }))],
    ["names that are no texts", "/firstName", alone(fields({ firstName: 7 }))],
    ["categories that don't change", "/categories", fields({ categories: [] })],
  ],
  [
    "newsletter",
    `GET ${subscribers}/{token}`,
    [
      "a compressed answer",
      "Content-Encoding",
      alone(
        answering(200, (answer) => {
          answer.headers["content-encoding"] = "gzip";
          answer.body = gzipSync(answer.body);
        }),
      ),
    ],
  ],
  [
    "promotion",
    "GET /service/promotion/api/promotion/{key}",
    [
      "an object for a text",
      "/contentJSON",
      alone(body(({ contentJSON }) => ({ contentJSON: JSON.parse(String(contentJSON)) }))),
    ],
    [
      "a link that runs a script",
      "/contentJSON/link/url",
      body(({ contentJSON }) => ({ contentJSON: String(contentJSON).replace('"url":"/', '"url":"javascript:/') })),
    ],
    [
      "a page",
      "Content-Type",
      alone(answering(200, ({ headers }) => Object.assign(headers, { "content-type": "text/html" }))),
    ],
    ["a redirect", "status", alone(status(200, 302))],
  ],
  [
    "content",
    "GET /service/footercontent/api/v1/content/{site}",
    [
      "a field that no footer has",
      "/footer/colour",
      body(({ footer, ...rest }) => ({ ...rest, footer: { ...Object(footer), colour: "red" } })),
    ],
    [
      "a footer that names an unknown text",
      "/footer/headline",
      body(({ footer, ...rest }) => ({ ...rest, footer: { ...Object(footer), headline: "unknown" } })),
    ],
  ],
  [
    "abtest",
    "GET /service/abtestfrontend/api/v1/gettestsat",
    ["tests without groups", "/0/groups", alone(body(() => [{ name: "colours" }]))],
    ["half an answer", "body", answering(200, (answer) => Object.assign(answer, { body: answer.body.subarray(1) }))],
  ],
];

/** A content service for Germany. */
const content: RequestListener = ({ url }, response) => {
  const german = siteOf("DE");
  const answer = { footer: german.footer, texts: texts.bundle(footerTextLocale(german), "footer") };
  const isKnown = url?.endsWith("/DE");
  response.writeHead(isKnown ? 200 : 404, { "content-type": "application/json" });
  response.end(JSON.stringify(isKnown ? answer : { type: "NOT_FOUND", title: "there is no content", status: 404 }));
};

const rows = calls.flatMap(([service, call, ...rows]) =>
  rows.map(([what, field, plant]) => ({ service, call, what, field, name: `${call} ${field}`, plant })),
);
type PlantedRow = (typeof rows)[number];

/** The rows that are planted in one service together. None is reported as another. */
const groups: PlantedRow[][] = [];
for (const row of rows) {
  const fits = (group: PlantedRow[]) =>
    group.every(({ service, name, plant }) => service === row.service && name !== row.name && !plant.alone);
  const group = row.plant.alone ? undefined : groups.find(fits);
  if (group) group.push(row);
  else groups.push([row]);
}

const services = [...new Set(calls.map(([service]) => service))];

const { app, deps } = await createTestApp({ trustProxy: ["127.0.0.1"] });
const { db } = deps.store;
const servers: Server[] = [];
let count = 0;

/** Serves a listener until the end of the tests. Returns its URL. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

afterAll(() => {
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
});

const embedded = await serve((request, response) => {
  const listener: RequestListener = request.url?.startsWith("/service/footercontent/") ? content : app;
  listener(request, response);
});

/** Serves the embedded services to callers of a network of their own, with changes planted in calls. */
function servePlanted(planted: readonly Pick<PlantedRow, "call" | "plant">[] = []): Promise<string> {
  const plants = planted.map(({ call, plant: { at = call, ...plant } }) => ({
    ...plant,
    pattern: new RegExp(`^${at.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
  }));
  const address = newAddress();
  return serve(async (request, response) => {
    const { method = "", url = "" } = request;
    const { connection: _, ...headers } = { ...request.headers, "x-forwarded-for": address };
    const meant = plants.filter(({ pattern }) => pattern.test(`${method} ${url.split("?", 1)[0]}`));
    for (const { asked } of meant) asked?.(headers);
    const sent = await buffer(request);
    const passed = await send(embedded + url, { method, headers, body: sent.length > 0 ? sent : null });
    const { "set-cookie": cookies = [], "content-length": _length, connection: _own, ...rest } = passed.headers;
    const body = Buffer.from(await passed.body.arrayBuffer());
    const answer = { status: passed.statusCode, headers: rest, cookies: [cookies].flat(), body };
    for (const { answered } of meant) await answered?.(answer, request);
    response.writeHead(answer.status, { ...answer.headers, "set-cookie": answer.cookies }).end(answer.body);
  });
}

/** Adds accounts and subscriptions that no other check uses. */
async function addAccounts(service: ServiceName): Promise<Record<string, string>> {
  const host = `shop-${++count}.example`;
  const name = `ada@${host}`;
  if (service === "preview") {
    await addAccount(db, "staff", { email: name, password });
    return { CHECK_STAFF_USER: name, CHECK_STAFF_PASSWORD: password };
  }
  if (service !== "newsletter") {
    await addAccount(db, "customer", { email: name, password });
    return { CHECK_EMAIL: name, CHECK_PASSWORD: password };
  }
  const newsletter = await openNewsletter(db);
  newsletter.pass(Date.now() - 400 * day - newsletter.now());
  const expired = await signUp(newsletter, `bea@${host}`);
  newsletter.pass(400 * day);
  const waiting = await signUp(newsletter, `cleo@${host}`);
  await newsletter.newsletter.confirm(await signUp(newsletter, `dora@${host}`), callerOf("DE"));
  const { preferencesToken = "" } = await lastMail(db, `dora@${host}`, "welcome");
  return {
    CHECK_EMAIL: name,
    CHECK_TOKEN: waiting,
    CHECK_TOKEN_EXPIRED: expired,
    CHECK_TOKEN_PREFERENCES: preferencesToken,
  };
}

async function check(service: ServiceName, url: string): Promise<Report> {
  const variables = await addAccounts(service);
  return checkService(service, url, { shop: deps, site: "DE", variables, loginUrl: url });
}

/** Recommendations, which aren't deviations. */
const advised = { call: `POST ${login}/logout`, plant: without("clear-site-data") };
/** Null stands for a field that is missing. */
const empty = {
  call: `GET ${customers}/base-data`,
  plant: fields({ salutation: null, firstName: null, lastName: null, consents: null }),
};

/** Reports by what is planted, or by the service that is well. */
const reports = new Map<unknown, Report>();

beforeAll(async () => {
  // Each one mostly waits for an idle connection.
  const lanes = bulkhead(8, Infinity);
  const report = (service: ServiceName, planted: Parameters<typeof servePlanted>[0], keys: readonly unknown[]) =>
    lanes.execute(async () => {
      const made = await check(service, await servePlanted(planted));
      for (const key of keys) reports.set(key, made);
    });
  await Promise.all([
    ...services.map((service) => report(service, [], [service])),
    ...groups.map((group) => report(group[0]?.service ?? expect.fail("a group is empty"), group, group)),
    report("login", [advised], [advised]),
    report("customer", [empty], [empty]),
  ]);
}, 240_000);

describe("a deviation is named by its call and field, and nothing else is", () => {
  it.each(rows)("$service: $what", (row) => {
    const { deviations = [] } = reports.get(row) ?? {};
    const group = groups.find((rows) => rows.includes(row)) ?? [];
    const named = new Set(deviations.map(({ call, field }) => `${call} ${field}`));
    expect(named, JSON.stringify(deviations, null, 2)).toContain(row.name);
    expect([...named].sort()).toEqual(group.map(({ name }) => name).sort());
    // Neither passwords nor tokens.
    expect(JSON.stringify(deviations)).not.toMatch(new RegExp(`${password}|eyJ`));
  });
});

it("a deviation is named once, with all its cases, in a sentence that says what to do", () => {
  const named = (what: string) => {
    const row = rows.find((one) => one.what === what);
    return (reports.get(row)?.deviations ?? []).map(
      ({ case: cases, field, expected, found }) => `${field} ${expected}, found: ${found} (${cases})`,
    );
  };
  expect(named("a field that no footer has")).toEqual([
    '/footer/colour must be left out, found: "red" (of DE with unknown cookies; of DE)',
    '/footer/headline must name a text that is built in, or in /texts, found: "unknown" (of DE)',
  ]);
  expect(named("a redirect")).toEqual([
    expect.stringMatching(/^status must be 200 or 404, found: 302 \(.*of AT; .*; of TR\)$/),
  ]);
});

it.each(services)(
  "%s: nothing is named of a service that is well, and each documented call is made",
  async (service) => {
    const report = reports.get(service);
    expect(report).toMatchObject({ deviations: [], notChecked: [] });
    const documented = listOperations(readDocument(service)).filter((operation) => !operation["x-embedded-only"]);
    const made = Object.keys(report?.calls ?? {});
    expect(made).toEqual(expect.arrayContaining(documented.map(({ method, path }) => `${method} ${path}`)));
  },
);

it("advises to send Clear-Site-Data at a logout, which is no deviation", () => {
  const { deviations, notChecked } = reports.get(advised) ?? {};
  expect(deviations).toEqual([]);
  expect(notChecked).toEqual([expect.stringContaining('Clear-Site-Data: "cache"')]);
});

it("takes null for a missing field of a customer", () => {
  expect(reports.get(empty)).toMatchObject({ deviations: [], notChecked: [] });
});

const run = (env: Record<string, string>, ...words: string[]) => runCommand(env, "check-upstream", ...words);

describe("the command", () => {
  it("says that a service is well, and what it couldn't check without a variable that its help names", async () => {
    const { code, stdout, stderr } = await run({}, "login", await servePlanted());
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^ok +POST \/service\/login\/api\/v1\/logout$/m);
    expect(stdout).toMatch(/^calls: \d+, deviations: 0; not checked: .*\(set CHECK_EMAIL and CHECK_PASSWORD\)\n$/m);
    expect((await run({}, "--help")).stdout).toMatch(/^ {2}CHECK_EMAIL +the address of a test customer$/m);
  });

  it("shows each deviation by a line for a shell that has the variables, as text and as JSON", async () => {
    const env = await addAccounts("login");
    const url = await servePlanted([{ call: `POST ${login}/login`, plant: status(200, 500) }]);
    const [asText, asJson] = await Promise.all([run(env, "login", url), run(env, "login", `${url}/`, "--json")]);
    expect([asText.code, asText.stderr]).toEqual([1, expect.stringMatching(/^calls: \d+, deviations: 1\n$/)]);
    const cases = "by a customer; by a customer who stays logged in";
    expect(asText.stdout).toMatch(/^WRONG POST .*\/login$/m);
    expect(asText.stdout).toContain(`\n  status must be 200, found: 500 (${cases})\n    curl `);
    const [{ curl, ...deviation }] = JSON.parse(asJson.stdout).deviations;
    const { CHECK_EMAIL = "" } = env;
    expect(deviation).toEqual({
      call: `POST ${login}/login`,
      case: cases,
      field: "status",
      expected: "must be 200",
      found: "500",
    });
    for (const { stdout } of [asText, asJson]) expect(stdout).not.toContain(password);
    // Replaces curl, which not every machine has.
    const shell = promisify(execFile)("sh", ["-c", `curl() { printf '%s\n' "$@"; }; ${curl}`], { env });
    const words = (await shell).stdout.split("\n");
    expect(words).toEqual(expect.arrayContaining([`${url}${login}/login`, "content-type: application/json"]));
    expect(JSON.parse(words.at(-2) ?? "")).toEqual({ email: CHECK_EMAIL, password, stayLoggedIn: false });
  });

  it("tries no more than 12 wrong sign-ins for a name, and says that it met no limit", async () => {
    const tries = new Map<string, number>();
    const url = await serve(async (request, response) => {
      const [, name = ""] = /"email":"([^"]*)","password"/.exec((await buffer(request)).toString()) ?? [];
      tries.set(name, (tries.get(name) ?? 0) + 1);
      const error = { type: "UNAUTHORIZED", title: "nobody is signed in", status: 401 };
      response.writeHead(401, { "content-type": "application/json" }).end(JSON.stringify(error));
    });
    const { notChecked } = await check("login", url);
    tries.delete("");
    expect(Math.max(...tries.values())).toBe(12);
    expect(notChecked).toEqual([expect.stringMatching(/^429 /)]);
  });

  it("reports a service that can't be reached once", async () => {
    const { code, stdout, stderr } = await run({}, "newsletter", "http://127.0.0.1:1", "--json");
    expect(JSON.parse(stdout).deviations).toEqual([
      expect.objectContaining({ field: "answer", found: "no answer (ECONNREFUSED)" }),
    ]);
    expect([code, stderr]).toEqual([
      1,
      "calls: 1, deviations: 1; not checked: everything else (the service doesn't answer)\n",
    ]);
  });

  it.each([
    ["cart", "https://shop.example"],
    ["login", "https://ada:secret@shop.example"],
  ])("gets exit code 2 for a wrong service or URL: %s %s", async (...words) => {
    const { code, stdout, stderr } = await run({}, ...words);
    expect([code, stdout, stderr]).toEqual([
      2,
      "",
      expect.stringMatching(/^error: .*\n\nUsage: storefront-fragments /),
    ]);
    expect(stderr).not.toContain("secret");
  });
});
