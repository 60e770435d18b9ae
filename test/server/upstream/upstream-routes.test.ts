import { afterAll, describe, expect, it } from "vitest";
import { realServices } from "../../../server/config/env.ts";
import { answerRightly } from "../../support/answer-rightly.ts";
import { type ServiceProcess, startProcess, stopProcesses } from "../../support/start-process.ts";
import { type Stub, startStub } from "../../support/start-stub.ts";

afterAll(stopProcesses);

/** A call of each service. */
const calls = {
  abtest: "/service/abtestfrontend/api/v1/getassignment",
  promotion: "/service/promotion/api/promotion/SHOP_FOOTER",
  newsletter: "/service/newsletter/api/internal/newsletter-subscribers",
  customer: "/service/customerfrontenddata/api/v1/psdata",
  login: "/service/login/api/v1/login",
  preview: "/service/preview/api/token",
};
const token = "t".repeat(32);
const own = { "X-hunter-csrf": "1", "Sec-Fetch-Site": "same-origin" };

/** The service as it was built, with every service real. */
async function startWith(stub: Stub, environment: Record<string, string> = {}) {
  const origins = realServices.map(({ variable }) => [variable, stub.origin]);
  const service = startProcess({ ...Object.fromEntries(origins), ...environment });
  const port = await service.port;
  stub.requests.length = 0;
  const call = (path: string, init: RequestInit = {}) => fetch(`http://127.0.0.1:${port}${path}`, init);
  return { service, port, call };
}

async function end(service: ServiceProcess) {
  service.signal("SIGKILL");
  await service.ended;
}

describe("a change that is forwarded", () => {
  it("needs both the header and evidence of the same origin, but for what a subscriber's token proves", async () => {
    const stub = await startStub(answerRightly);
    const { service, port, call } = await startWith(stub);
    const asked = () => stub.requests.filter(({ method }) => method !== "GET").map(({ url }) => url);
    const foreign: Record<string, string>[] = [
      {},
      { "X-hunter-csrf": "1" },
      { "Sec-Fetch-Site": "same-origin" },
      { "X-hunter-csrf": "1", "Sec-Fetch-Site": "cross-site" },
      { "X-hunter-csrf": "1", Origin: "https://evil.example" },
    ];
    const closed = [
      ...Object.values(calls).map((path) => ["POST", path]),
      ["PUT", `${calls.newsletter}/${token}/doi`],
      ["PUT", `${calls.newsletter}/${token}/unsubscribe`],
      ["POST", `${calls.newsletter}/${token}/other`],
      ["POST", `${calls.login}/${token}/unsubscribe`],
      ["PUT", `${calls.newsletter}/${token}/opened`],
    ] as const;
    for (const headers of foreign)
      for (const [method, path] of closed) {
        const response = await call(path, { method, headers });
        expect([response.status, await response.json()], path).toMatchObject([403, { type: "FORBIDDEN" }]);
        expect(response.headers.get("Cache-Control")).toBe("no-store");
      }
    expect(asked()).toEqual([]);

    for (const path of Object.values(calls)) expect((await call(path, { method: "POST", headers: own })).ok).toBe(true);
    const origin = `http://127.0.0.1:${port}`;
    const older = await call(calls.login, { method: "POST", headers: { "X-hunter-csrf": "1", Origin: origin } });
    expect(older.status).toBe(200);
    for (const base of [calls.newsletter, calls.newsletter.replace("internal", "private")]) {
      const mailProgram = { method: "POST", body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }) };
      expect((await call(`${base}/${token}/unsubscribe`, mailProgram)).status).toBe(200);
      expect((await call(`${base}/${token}/opened`, { method: "POST" })).status).toBe(200);
    }
    expect(asked()).toHaveLength(Object.keys(calls).length + 5);
    for (const path of Object.values(calls)) expect((await call(path)).ok).toBe(true);
    await end(service);
  });
});

describe("what a forwarded call carries of its visitor", () => {
  const cookies = {
    login: "login=a.b.c",
    longterm: "LongtermToken=d.e.f",
    staff: "StaffAuthToken=g; CobraAuthToken=h; PreviewContext=i",
  };
  const everything = {
    Cookie: [...Object.values(cookies), "LoginToken=clock", "KnownDevice=a", "KnownStaffDevice=b", "other=1"].join(
      "; ",
    ),
    Authorization: "Basic eA==",
    "X-Login-Token": "forged",
    "X-Original-Address": "203.0.113.9",
    "X-Own": "1",
  };
  /** What each service gets, and no other. */
  const expected: Record<keyof typeof calls, object> = {
    abtest: {},
    promotion: { cookie: cookies.staff },
    newsletter: { "x-original-address": "127.0.0.1" },
    customer: { "x-login-token": "a.b.c" },
    login: { cookie: `${cookies.login}; ${cookies.longterm}` },
    preview: { cookie: cookies.staff },
  };
  const tellTales = ["cookie", "authorization", "x-login-token", "x-original-address", "x-own"];

  it("is what its service needs", async () => {
    const stub = await startStub(answerRightly);
    const { service, call } = await startWith(stub, { HOST: "127.0.0.1" });
    for (const { name } of realServices) {
      await call(calls[name], { headers: { ...everything, "X-Site": "PL", "Accept-Language": "pl" } });
      const asked = stub.requests.findLast(({ url }) => url === calls[name]);
      const carried = Object.entries(asked?.headers ?? {}).filter(([header]) => tellTales.includes(header));
      expect(Object.fromEntries(carried), name).toEqual(expected[name]);
      expect(asked?.headers).toMatchObject({ "x-site": "PL", "accept-language": "pl" });
    }
    await end(service);
  });
});

describe("a forwarded answer", () => {
  it("is stored by nobody, unless the real service says who may", async () => {
    const stub = await startStub(answerRightly);
    const { service, call } = await startWith(stub);
    const header = async (path: string) => (await call(path)).headers.get("Cache-Control");
    for (const path of Object.values(calls)) expect(await header(path), path).toBe("no-store");
    stub.answer = (incoming, response) => {
      answerRightly(incoming, response.setHeader("Cache-Control", "private, max-age=5"));
    };
    for (const path of Object.values(calls)) expect(await header(path), path).toBe("private, max-age=5");
    await stub.close();
    expect(await header(calls.customer)).toBe("no-store");
    await end(service);
  });
});
