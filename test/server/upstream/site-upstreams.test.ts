import request from "supertest";
import { describe, expect, it, onTestFinished } from "vitest";
import { readEnv } from "../../../server/config/env.ts";
import { realServices } from "../../../server/config/real-services.ts";
import { answerRightly } from "../../support/answer-rightly.ts";
import { signUpOf } from "../../support/newsletter-test.ts";
import { startStub } from "../../support/start-stub.ts";
import { createTestApp, siteOf, sites, testLogger } from "../../support/test-app.ts";
import { openTestStore } from "../../support/test-store.ts";

const own = { "X-hunter-csrf": "1", "Sec-Fetch-Site": "same-origin" };
const movable = realServices.filter((service) => service.bySite);
const subscribers = "/service/newsletter/api/internal/newsletter-subscribers";
const token = "t".repeat(32);
/** A call of each service that may be another one on each site. */
const calls = {
  promotion: "/service/promotion/api/promotion/SHOP_FOOTER",
  newsletter: `${subscribers}/${token}`,
  customer: "/service/customerfrontenddata/api/v1/psdata",
  login: "/service/login/api/v1/login",
};
const [moved, stayed] = [siteOf("AT"), siteOf("DE")];

type Changes = Parameters<typeof createTestApp>[0];

/** The real app with the real services that variables of the environment name. */
function openApp(variables: Record<string, string>, changes: Changes = {}) {
  const { upstreams, siteUpstreams } = readEnv(variables);
  return createTestApp({ upstreams, siteUpstreams, ...changes });
}

/** The real app with all services of one site real, which a stub records. */
async function moveOne(changes: Changes = {}) {
  const real = await startStub(answerRightly);
  const variables = Object.fromEntries(movable.map(({ variable }) => [`${variable}_${moved.site}`, real.origin]));
  return { real, ...(await openApp(variables, changes)) };
}

describe.each(movable)("the $name service", ({ name, variable }) => {
  /** Calls it on each site, and returns the hosts whose calls were forwarded. */
  const forwarded = async (variablesOf: (origin: string) => Record<string, string>) => {
    const real = await startStub(answerRightly);
    const { app } = await openApp(variablesOf(real.origin));
    for (const { localHost } of sites) await request(app).get(calls[name]).set("Host", localHost);
    return real.requests.map(({ headers }) => headers["x-forwarded-host"]);
  };

  it("is a real one on a single site", async () => {
    const hosts = await forwarded((origin) => ({ [`${variable}_${moved.site}`]: origin }));
    expect(hosts).toEqual([moved.localHost]);
  });

  it("is a real one on all sites but one", async () => {
    const hosts = await forwarded((origin) => ({ [variable]: origin, [`${variable}_${moved.site}`]: "embedded" }));
    expect(hosts).toEqual(sites.filter(({ site }) => site !== moved.site).map(({ localHost }) => localHost));
  });
});

describe("a service call", () => {
  it("belongs to the site that it names, else to its host's", async () => {
    const { app, real } = await moveOne();
    const ask = async ({ localHost }: typeof moved, query: object, headers = {}) => {
      real.requests.length = 0;
      const { status } = await request(app)
        .get(calls.promotion)
        .query(query)
        .set({ Host: localHost, ...headers });
      return { status, isForwarded: real.requests.length === 1 };
    };
    expect(await ask(stayed, { site: moved.site })).toMatchObject({ isForwarded: true });
    expect(await ask(stayed, {}, { "X-Site": moved.site })).toMatchObject({ isForwarded: true });
    expect(await ask(moved, { site: stayed.site })).toMatchObject({ isForwarded: false });
    expect(await ask(moved, {}, { "X-Site": stayed.site })).toMatchObject({ isForwarded: false });
    expect(await ask(moved, {}, { "X-Site": "XX" })).toEqual({ status: 400, isForwarded: false });
  });

  it("has the methods, and needs the evidence, of the service that answers it", async () => {
    const { app, real } = await moveOne();
    real.answer = (_request, response) => response.writeHead(207).end();
    const ask = async (method: "options" | "delete" | "post", { localHost }: typeof moved, headers = own) => {
      const response = await request(app)
        [method](calls.login)
        .set({ ...headers, Host: localHost });
      return [response.status, response.headers.allow];
    };
    expect(await ask("options", moved)).toEqual([207, undefined]);
    expect(await ask("delete", moved)).toEqual([207, undefined]);
    expect(await ask("options", stayed)).toEqual([204, "POST, OPTIONS"]);
    expect(await ask("delete", stayed)).toEqual([405, "POST, OPTIONS"]);
    const foreign = { ...own, "Sec-Fetch-Site": "cross-site" };
    for (const site of [moved, stayed]) expect(await ask("post", site, foreign)).toEqual([403, undefined]);
    expect(real.requests).toHaveLength(2);
  });
});

it("forms without script go to the service of their site", async () => {
  const { app, real } = await moveOne();
  const send = async ({ localHost }: typeof moved, path: string, fields: object) => {
    real.requests.length = 0;
    await request(app)
      .post(path)
      .type("form")
      .set({ ...own, Host: localHost })
      .send(fields);
    return real.requests.map(({ method, url }) => `${method} ${url}`);
  };
  const forms: [path: string, fields: object, call: string][] = [
    ["/login", { email: "ada@shop.example", password: "wrong" }, `POST ${calls.login}`],
    ["/logout", {}, "POST /service/login/api/v1/logout"],
    ["/newsletter", signUpOf("ada@shop.example"), `POST ${subscribers}`],
    ["/newsletter/confirm", { token }, `PUT ${subscribers}/${token}/doi`],
    ["/newsletter/unsubscribe", { token }, `POST ${subscribers}/${token}/unsubscribe`],
  ];
  for (const [path, fields, call] of forms) {
    expect(await send(moved, path, fields)).toEqual([call]);
    expect(await send(stayed, path, fields), path).toEqual([]);
  }
  // The form in another site's language, on the host with the session's cookies.
  expect(await send(moved, "/login", { ...forms[0]?.[1], site: stayed.site })).toEqual([`POST ${calls.login}`]);
});

it("a footer promotes what the service of its site says", async () => {
  const { app, deps } = await moveOne();
  onTestFinished(() => deps.promotions.close());
  await deps.promotions.start();
  const footerOf = async ({ site }: typeof moved) => (await request(app).get(`/fragments/footer/${site}`)).text;
  expect(await footerOf(moved)).toContain("A tenth off every coffee.");
  expect(await footerOf(stayed)).not.toContain("A tenth off every coffee.");
  expect(deps.promotions.current(stayed, Date.now())).toMatchObject({ link: { url: "/category/coffee" } });
});

it("the outage of a real service concerns only its sites, which the log names", async () => {
  const [one, other] = [await startStub(answerRightly), await startStub(answerRightly)];
  const { app, logs } = await openApp({
    UPSTREAM_CUSTOMER_URL_AT: one.origin,
    UPSTREAM_CUSTOMER_URL_CH: `${one.origin}/`,
    UPSTREAM_CUSTOMER_URL_PL: other.origin,
  });
  await one.close();
  const ask = async (code: string) => (await request(app).get(calls.customer).set("X-Site", code)).status;
  for (let call = 0; call < 6; call++) expect(await ask("AT")).toBe(503);
  expect([await ask("CH"), await ask("PL"), await ask("DE")]).toEqual([503, 200, 200]);
  expect(logs.filter(({ msg }) => msg === "upstream failed")).toMatchObject([
    { upstream: "customer", sites: ["AT", "CH"] },
  ]);
});

it("mails that waited when their site moved are still sent", async () => {
  const store = await openTestStore(testLogger);
  const before = await createTestApp({ store });
  await request(before.app)
    .post(subscribers)
    .set({ ...own, "X-Site": moved.site })
    .send(signUpOf("ada@shop.example"))
    .expect(202);
  const recipients: string[] = [];
  const openMailTransport = () => ({
    send: async ({ envelope }: { envelope: { to: string } }) => void recipients.push(envelope.to),
    close: () => undefined,
  });
  const { service } = await moveOne({ store, openMailTransport });
  for (const job of service.jobs) {
    onTestFinished(() => job.close());
    await job.start();
  }
  await expect.poll(() => recipients).toEqual(["ada@shop.example"]);
});
