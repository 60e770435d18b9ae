import type { RequestListener } from "node:http";
import request, { type Response } from "supertest";
import { expect, it } from "vitest";
import { day, second } from "../../../client/rules/time.ts";
import { addAccount } from "../../../server/accounts/accounts.ts";
import { createCompiler } from "../../../server/platform/compile-schema.ts";
import { validateBy } from "../../../server/platform/validate.ts";
import { createOverloadResponse } from "../../../server/rendering/overload-response.tsx";
import { createDocumentValidator } from "../../../server/upstream/document-validator.ts";
import { exampleOf, listOperations, listServices, readDocument } from "../../../server/upstream/service-documents.ts";
import { readKeys, sign } from "../../../server/upstream/signatures.ts";
import { type Jar, keep } from "../../support/cookie-jar.ts";
import { email, pass, password, stopTime } from "../../support/login-test.ts";
import { newAddress } from "../../support/new-address.ts";
import { lastMail, signUpOf } from "../../support/newsletter-test.ts";
import { cookiesOf, header, ours, user } from "../../support/preview-test.ts";
import { json, startStub } from "../../support/start-stub.ts";
import { createTestApp } from "../../support/test-app.ts";
import { openTestStore } from "../../support/test-store.ts";

// Only real services answer the calls for content.
const { compile } = createCompiler();
const services = listServices().filter((service) => service !== "content");
const operations = services.flatMap((service) => {
  const document = readDocument(service);
  return listOperations(document).map((operation) => ({ ...operation, document }));
});
type Operation = (typeof operations)[number];

const trusted = { trustProxy: ["loopback"], originalAddressFrom: ["127.0.0.0/8", "::1"] };
const newsletterReports = { secret: `whsec_${Buffer.alloc(32, 1).toString("base64")}`, secretFile: undefined };
const { app, deps } = await createTestApp({ ...trusted, newsletterReports });
const { db } = deps.store;
const overloaded = createOverloadResponse(deps);

stopTime();
await addAccount(db, "customer", { email, password, salutation: "MRS", firstName: "Ada", lastName: "Beispiel" });
await addAccount(db, "staff", { email: user, password });

/** What differs from the call that the document gives as an example. */
interface Call {
  path?: Record<string, string>;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  jar?: Jar;
  body?: object;
  /** The server that answers. Default: the app with all embedded services. */
  at?: RequestListener;
}

const find = (id: string): Operation =>
  operations.find(({ operationId }) => operationId === id) ?? expect.fail(`there is no ${id}`);

/** Makes a call as its document describes it, from a network of its own. */
function ask(id: string, { path = {}, query = {}, headers = {}, jar = {}, body, at = app }: Call = {}) {
  const operation = find(id);
  const { method, parameters = [], requestBody } = operation;
  const evidence = parameters.some(({ name }) => name === "X-hunter-csrf") ? ours : {};
  const call = request(at)
    [method.toLowerCase() as "get" | "post" | "put"](addressOf(operation, path))
    .query({ ...examplesOf(operation, "query"), ...query })
    .set({ "X-Forwarded-For": newAddress(), Cookie: header(jar), ...evidence, ...headers });
  const [type] = Object.keys(requestBody?.content ?? {});
  return type === undefined ? call : call.type(type).send(body ?? exampleBody(operation));
}

/** Returns the example of a call's body. */
function exampleBody({ requestBody }: Operation): object {
  return Object.values(requestBody?.content ?? {}).map((body) => Object(exampleOf(body)))[0];
}

function addressOf(operation: Operation, values: Record<string, string> = {}): string {
  const given: Record<string, string> = { ...examplesOf(operation, "path"), ...values };
  return operation.path.replaceAll(/\{(\w+)\}/g, (_all, name) => given[name] ?? "");
}

/** Returns the examples of the required parameters in a place. */
function examplesOf({ parameters = [] }: Operation, place: "path" | "query"): Record<string, string> {
  const needed = parameters.filter((one) => one.in === place && one.required);
  return Object.fromEntries(needed.map((parameter) => [parameter.name, String(exampleOf(parameter))]));
}

const jarOf = (response: Response) => keep({}, cookiesOf(response));
const customer = async () => ({ jar: jarOf(await ask("login")) });
const staff = async (): Promise<{ jar: Jar }> => ({ jar: jarOf(await ask("loginStaff")) });
const previewing = async () => {
  const { jar } = await staff();
  return { jar: keep(jar, cookiesOf(await ask("choosePreview", { jar }))) };
};

let signedIn: { at: number; jar: Jar } | undefined;
/**
 * Returns a visitor who is signed in as a customer and as staff. All calls of a moment share it, because signing in
 * takes longer than everything else here.
 */
async function visitor(): Promise<{ jar: Jar }> {
  const at = Date.now();
  if (signedIn?.at !== at) signedIn = { at, jar: { ...(await customer()).jar, ...(await previewing()).jar } };
  return signedIn;
}

/** Lets the visitor sign in again after a call that has ended the session. */
function forgetEnded(id: string) {
  if (id.startsWith("login") || id.startsWith("logout")) signedIn = undefined;
}

const elsewhere = { headers: { "X-Site": "XX" } };

let subscribers = 0;
async function signUp() {
  const email = `subscriber${subscribers++}@shop.example`;
  await ask("subscribe", { body: signUpOf(email), headers: { "X-Site": "DE" } }).expect(202);
  return email;
}

async function subscriber() {
  return { path: { token: (await lastMail(db, await signUp(), "confirm")).subscriberToken } };
}

async function confirmed() {
  const call = await subscriber();
  await ask("confirmSubscription", call).expect(200);
  return call;
}

/** Returns a call by the token of the subscriber's page. */
async function preferring() {
  const email = await signUp();
  const { subscriberToken } = await lastMail(db, email, "confirm");
  await ask("confirmSubscription", { path: { token: subscriberToken } }).expect(200);
  return { path: { token: (await lastMail(db, email, "welcome")).preferencesToken ?? "" } };
}

async function expired() {
  const call = await subscriber();
  pass(60 * day);
  return call;
}

/** Repeats a call until it is refused as one too many. */
async function often(id: string, call: Call) {
  const again = { ...call, headers: { "X-Forwarded-For": newAddress(), "X-Original-Address": newAddress() } };
  for (let calls = 0; calls < 100; calls++) if ((await ask(id, again)).status === 429) return again;
  return expect.fail("no call was one too many");
}

/** Returns a call with a correctly signed report. */
function report(body = exampleBody(find("reportEvent"))): Call {
  const message = { id: "message-7", timestamp: String(Math.floor(Date.now() / second)), body: JSON.stringify(body) };
  const signature = sign(readKeys(newsletterReports), message);
  const { id, timestamp } = message;
  return { body, headers: { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature } };
}

/** Creates a session that can't be extended any more. */
async function almostEnded() {
  let { jar } = await customer();
  for (let renewals = 0; renewals < 10; renewals++) {
    pass(10 * day);
    const response = await ask("renewLoginToken", { jar });
    jar = keep(jar, cookiesOf(response));
    if (response.status === 200) return { jar };
  }
  return expect.fail("the session doesn't end");
}

const failing = async () => {
  const { app: at } = await createTestApp({
    ...trusted,
    upstreams: { login: (await startStub(json("", 500))).origin },
  });
  return { at };
};

const broken = await createTestApp({ ...trusted, store: await openTestStore(deps.logger) });
for (const table of ["session", "promotion", "ab_test_group", "newsletter_token", "mail_outbox", "rate_limit"])
  await broken.deps.store.db.schema.dropTable(table).execute();
/** A call by a visitor who is signed in as a customer and as staff, while the database fails. */
const withoutStore = async () => ({ jar: (await visitor()).jar, at: broken.app });

async function unchanged(id: string) {
  return { headers: { "If-None-Match": String((await ask(id)).headers.etag) } };
}

type Case = (id: string) => Call | Promise<Call>;

/** The call that gets each answer. Refusals and failures that are the same for all calls are below. */
const cases: Record<string, Record<number, Case>> = {
  subscribe: {
    202: () => ({}),
    400: () => ({ body: { email: "nobody" } }),
    429: (id) => often(id, {}),
  },
  readSubscription: { 200: subscriber, 404: () => ({}) },
  readPreferences: { 200: preferring, 404: subscriber },
  changeSubscription: {
    200: subscriber,
    400: async () => ({ ...(await subscriber()), body: { email } }),
    404: () => ({}),
  },
  confirmSubscription: { 200: subscriber, 400: () => elsewhere, 404: () => ({}), 410: expired },
  openUnsubscribePage: { 303: () => ({ headers: { Accept: "text/html" } }), 405: () => ({}) },
  unsubscribe: { 200: subscriber, 400: () => elsewhere, 404: () => ({}) },
  reportOpening: { 200: confirmed, 404: subscriber },
  reportEvent: {
    204: () => report(),
    400: () => report({}),
    401: () => ({}),
    404: async () => ({ ...report(), at: (await createTestApp(trusted)).app }),
    413: () => report({ type: "a".repeat(3_000) }),
    415: () => ({ headers: { ...report().headers, "Content-Encoding": "gzip" } }),
  },

  readCustomer: { 200: customer, 400: async () => ({ ...(await customer()), ...elsewhere }), 401: () => ({}) },
  readNewsletterStatus: { 200: customer, 400: async () => ({ ...(await customer()), ...elsewhere }), 401: () => ({}) },
  readKnownEmail: { 200: customer, 400: () => elsewhere },

  login: {
    200: () => ({}),
    400: () => ({ body: { email } }),
    401: () => ({ body: { email, password: "wrong" } }),
    429: (id) => often(id, { body: { email: "nobody@shop.example", password: "wrong" } }),
  },
  renewLoginToken: { 200: almostEnded, 201: customer, 401: () => ({}), 500: failing },
  renewLongtermToken: { 204: customer },
  logout: { 204: customer },

  loginStaff: {
    200: () => ({}),
    400: () => ({ body: { user } }),
    401: () => ({ body: { user, password: "wrong" } }),
    429: (id) => often(id, { body: { user: "nobody@shop.example", password: "wrong" } }),
  },
  checkStaff: { 200: previewing, 401: () => ({}), 500: withoutStore },
  renewStaff: { 200: staff, 401: () => ({}), 500: withoutStore },
  logoutStaff: { 200: staff, 500: withoutStore },
  choosePreview: {
    200: staff,
    400: async () => ({ ...(await staff()), query: { test: "unknown" } }),
    401: () => ({}),
    500: withoutStore,
  },
  findChanges: { 200: staff, 400: () => elsewhere, 401: () => ({}), 500: withoutStore },
  sharePreview: { 200: previewing, 400: () => elsewhere, 401: () => ({}), 500: withoutStore },

  findPromotion: { 200: () => ({}), 400: () => elsewhere, 404: () => ({ path: { key: "UNKNOWN" } }) },
  findTests: { 200: () => ({}), 400: () => ({ query: { time: "noon" } }) },
  assignGroups: { 200: () => ({}) },

  ...Object.fromEntries(
    ["Footer", "Header", "Newsletter", "Head"]
      .flatMap((name) => [`render${name}`, `read${name}Data`])
      .map((id) => [id, { 200: () => ({}), 304: unchanged, 400: () => ({ path: { site: "XX" } }) }]),
  ),
  ...Object.fromEntries(
    ["readManifest", "renderFallback"].map((id) => [
      id,
      {
        200: () => ({}),
        304: unchanged,
        400: () => ({ path: { site: "XX" } }),
        404: () => ({ path: { fragment: "unknown" } }),
      },
    ]),
  ),
};

for (const { operationId, parameters = [] } of operations) {
  const own = { ...cases[operationId], 503: () => ({ at: overloaded }) };
  const isForPages = parameters.some(({ name }) => name === "X-hunter-csrf");
  cases[operationId] = isForPages ? { ...own, 403: () => ({ headers: { "X-hunter-csrf": "" } }) } : own;
}

const listed = Object.entries(cases).flatMap(([id, answers]) =>
  Object.entries(answers).map(([status, prepare]) => ({ id, status: Number(status), prepare })),
);

it("every documented answer is tried, and no other", () => {
  const documented = operations.flatMap(({ operationId, responses }) =>
    Object.keys(responses).map((status) => `${operationId} ${status}`),
  );
  expect(listed.map(({ id, status }) => `${id} ${status}`).sort()).toEqual(documented.sort());
});

it.each(listed)("$id answers $status as documented", async ({ id, status, prepare }) => {
  const response = await ask(id, await prepare(id));
  expect(response.status, response.text).toBe(status);
  expectDocumented(find(id), response);
});

it.each(operations)("$operationId answers a documented status for an unknown site", async (operation) => {
  const { jar } = await visitor();
  expectDocumented(operation, await ask(operation.operationId, { query: { site: "XX" }, jar }));
  forgetEnded(operation.operationId);
});

it.each(operations)("$operationId answers a documented status when the database fails", async (operation) => {
  const response = await ask(operation.operationId, await withoutStore());
  expectDocumented(operation, response);
});

it.each(operations)(
  "$operationId refuses a caller without credentials just where its document asks for some",
  async ({ operationId, security, document }) => {
    const isForAll = security.length === 0 || security.some((needed) => Object.keys(needed).length === 0);
    const nothing = { headers: { "X-hunter-csrf": "", "Sec-Fetch-Site": "", Origin: "" } };
    const { status } = await ask(operationId, nothing);
    expect([401, 403].includes(status)).toBe(!isForAll);
    for (const needed of security) {
      const schemes = Object.keys(needed).map((name) => document.components.securitySchemes?.[name]?.name);
      const { jar } = await visitor();
      const cookies = Object.entries(jar).filter(([name]) => schemes.includes(name));
      const signed = schemes.includes("webhook-signature") ? report() : {};
      const call = schemes.includes("X-hunter-csrf") ? signed : { ...nothing, ...signed };
      const answer = await ask(operationId, { ...call, jar: Object.fromEntries(cookies) });
      expect([401, 403], schemes.join()).not.toContain(answer.status);
      forgetEnded(operationId);
    }
  },
);

it.each([...Map.groupBy(operations, (operation) => addressOf(operation))])(
  "%s names the documented methods to others",
  async (path, calls) => {
    // Programs, for which `Allow` is, can't use a method that is only for browsers.
    const methods = calls.filter(({ responses }) => !responses[405]).map(({ method }) => method);
    const { headers } = await request(app).delete(path).expect(405);
    const head = methods.includes("GET") ? ["HEAD"] : [];
    expect(headers.allow?.split(", ").sort()).toEqual([...methods, ...head, "OPTIONS"].sort());
    expect((await request(app).options(path).expect(204)).headers.allow).toBe(headers.allow);
  },
);

/** Headers with information for callers. Each must be documented. */
const telling = ["Set-Cookie", "Retry-After", "Clear-Site-Data", "ETag", "Location"];

/** Expects that status, headers, cookies and body are as documented, and that the answer has nothing else. */
function expectDocumented(operation: Operation, { status, headers, text, body, type }: Response): void {
  const { document, path, responses } = operation;
  const documented = responses[status] ?? expect.fail(`${status} isn't documented: ${text}`);
  for (const [name, { required, schema }] of Object.entries(documented.headers ?? {})) {
    const sent: unknown = headers[name.toLowerCase()];
    if (sent === undefined) expect(required, name).not.toBe(true);
    else expectValid(document, schema, "type" in schema && schema.type === "integer" ? Number(sent) : sent);
  }
  const others = Object.values(responses).flatMap((response) => Object.keys(response.headers ?? {}));
  for (const name of new Set([...telling, ...others]))
    if (!documented.headers?.[name]) expect(headers, name).not.toHaveProperty(name.toLowerCase());

  if (path.startsWith("/service/")) expect(headers["cache-control"]).toContain("no-store");

  const [media, content] = Object.entries(documented.content ?? {})[0] ?? [];
  if (!content) return void expect(text).toBe("");
  expect(type).toBe(media);
  const isRead = Object.keys(content.schema).length > 0;
  if (isRead) expectValid(document, content.schema, media === "text/html" ? text : body, true);
}

/** @param isClosed - whether an object may have only fields that are described */
function expectValid(document: Operation["document"], schema: object, value: unknown, isClosed = false): void {
  const closed = isClosed && typeof value === "object" && !Array.isArray(value);
  const validate = closed
    ? validateBy(() =>
        compile({ type: "object", ...schema, unevaluatedProperties: false, components: document.components }),
      )
    : createDocumentValidator(document, schema);
  expect(validate(value)).toMatchObject({ valid: true });
}
