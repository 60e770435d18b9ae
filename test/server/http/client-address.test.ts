import request from "supertest";
import { describe, expect, it } from "vitest";
import { readEnv } from "../../../server/config/env.ts";
import { anonymizeAddress } from "../../../server/http/anonymize-address.ts";
import { answerRightly } from "../../support/answer-rightly.ts";
import { newAddress } from "../../support/new-address.ts";
import { signUpOf } from "../../support/newsletter-test.ts";
import { startStub } from "../../support/start-stub.ts";
import { createTestApp, type TestChanges } from "../../support/test-app.ts";

const subscribers = "/service/newsletter/api/internal/newsletter-subscribers";
const visitor = "198.51.100.7";
/** The tests' own address is that of an edge proxy, which names the origin of each call. */
const trustProxy = ["loopback"];

/** Creates the function that calls a service from one address, naming another, and returns the answer. */
async function createCalls(changes: TestChanges) {
  const { app } = await createTestApp({ trustProxy, ...changes });
  return async (path: string, caller: string, named: string, body: object) => {
    const { status } = await request(app)
      .post(path)
      .set({ "X-hunter-csrf": "1", "Sec-Fetch-Site": "same-origin", "X-Site": "DE" })
      .set({ "X-Forwarded-For": caller, "X-Original-Address": named })
      .send(body);
    return status;
  };
}

/** The paths of each real service. */
const realPaths = [
  { name: "abtest", paths: ["/service/abtestfrontend"] },
  { name: "promotion", paths: ["/service/promotion"] },
  { name: "newsletter", paths: [subscribers] },
  { name: "customer", paths: ["/service/newsletter/api/private/customers", "/service/customerfrontenddata"] },
  { name: "login", paths: ["/service/login"] },
  { name: "preview", paths: ["/service/preview"] },
];

/** Creates the function that returns the X-Original-Address that a real service gets. */
async function createForwarded(name: string, originalAddressFrom: string[]) {
  const stub = await startStub(answerRightly);
  const { app } = await createTestApp({ trustProxy, originalAddressFrom, upstreams: { [name]: stub.origin } });
  return async (path: string, caller: string, named = visitor) => {
    await request(app).get(`${path}/x`).set({ "X-Forwarded-For": caller, "X-Original-Address": named }).expect(200);
    return stub.requests.at(-1)?.headers["x-original-address"];
  };
}

describe("X-Original-Address", () => {
  it("changes no limit of sign-ups where its sender isn't listed, even behind an edge proxy", async () => {
    const call = await createCalls({ originalAddressFrom: ["127.0.0.1"] });
    const caller = newAddress();
    const statuses = await Promise.all(
      Array.from({ length: 61 }, (_, i) => call(subscribers, caller, newAddress(), signUpOf(`edge-${i}@shop.example`))),
    );
    expect(statuses.toSorted().slice(-2)).toEqual([202, 429]);
  });

  it.each(realPaths)("reaches a real service only where it is heeded: $name", async ({ name, paths }) => {
    const forwarded = await createForwarded(name, ["192.0.2.1"]);
    for (const path of paths) {
      expect(await forwarded(path, "192.0.2.1"), path).toBe(name === "newsletter" ? visitor : undefined);
      expect(await forwarded(path, "192.0.2.2"), path).toBe(name === "newsletter" ? "192.0.2.2" : undefined);
    }
  });

  it.each([
    ["192.0.2.7", "192.0.2.7", "192.0.2.8"],
    ["10.0.0.0/8 , 192.0.2.0/30", "192.0.2.3", "192.0.2.4"],
    ["192.0.2.7", "::ffff:192.0.2.7", "::ffff:192.0.2.8"],
    ["::ffff:10.0.0.0/104", "10.1.2.3", "11.1.2.3"],
    ["::1,2001:db8::/64", "2001:db8::9", "2001:db8:0:1::9"],
  ])("is believed from a listed server: %s", async (list, listed, other) => {
    const { originalAddressFrom } = readEnv({ ORIGINAL_ADDRESS_FROM: list });
    const forwarded = await createForwarded("newsletter", originalAddressFrom);
    expect(await forwarded(subscribers, listed)).toBe(visitor);
    expect(await forwarded(subscribers, other)).toBe(other);
  });

  it.each(["unknown", "192.0.2.256", `${visitor}, 192.0.2.9`])(
    "is ignored when it isn't an address: %s",
    async (named) => {
      const forwarded = await createForwarded("newsletter", ["192.0.2.1"]);
      expect(await forwarded(subscribers, "192.0.2.1", named)).toBe("192.0.2.1");
    },
  );
});

/**
 * Requests a page and a fragment with a proxy's headers.
 * @returns the warnings about them
 */
async function warningsOf(trustProxy: string[], headers: Record<string, string>) {
  const { app, logs } = await createTestApp({ trustProxy });
  for (const path of ["/fragments/footer/DE", "/fragments/footer/DE", "/login?site=DE"])
    await request(app).get(path).set(headers);
  return logs.filter(({ level }) => level === 40);
}

it("a proxy that TRUST_PROXY doesn't name is warned of once", async () => {
  expect(await warningsOf(["10.0.0.0/8"], { "X-Forwarded-For": visitor, "X-Forwarded-Host": "at.localhost" })).toEqual([
    expect.objectContaining({
      from: expect.stringMatching(/^(127\.0\.0\.1|::1)$/),
      headers: ["x-forwarded-for", "x-forwarded-host"],
      msg: expect.stringContaining("add it to TRUST_PROXY"),
    }),
  ]);
  expect(await warningsOf([], { "X-Forwarded-Proto": "https" })).toHaveLength(1);
});

it("a proxy that TRUST_PROXY names is no reason to warn, nor is a visitor without proxy headers", async () => {
  expect(await warningsOf(["loopback"], { "X-Forwarded-For": visitor })).toEqual([]);
  expect(await warningsOf([], { "X-Original-Address": visitor })).toEqual([]);
});

it.each([
  ["10.1.2.3", "10.1.2.3"],
  ["::ffff:172.18.0.5", "172.18.0.5"],
  ["fd00::5", "fd00::5"],
  ["100.64.3.4", "100.64.3.4"],
  ["8.8.4.4", "8.8.4.0/24"],
  ["2a00:1450:4001:82f::200e", "2a00:1450:4001::/48"],
  ["2002:808:404::1", "6to4"],
  [undefined, "unknown"],
])(
  "the log has an address of an own network in full, and of a public address only its network: %s",
  (address, logged) => {
    expect(anonymizeAddress(address)).toBe(logged);
  },
);
