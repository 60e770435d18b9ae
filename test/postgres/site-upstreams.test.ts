import type { Express } from "express";
import request, { type Response } from "supertest";
import { expect, it } from "vitest";
import { minute } from "../../client/rules/time.ts";
import { addAccount } from "../../server/accounts/accounts.ts";
import { readEnv } from "../../server/config/env.ts";
import { answerRightly } from "../support/answer-rightly.ts";
import { type Jar, keep } from "../support/cookie-jar.ts";
import { email, password } from "../support/login-test.ts";
import { lastMail, mailsTo, signUpOf, subscriptionOf } from "../support/newsletter-test.ts";
import { startStub } from "../support/start-stub.ts";
import { createTestApp, testLogger } from "../support/test-app.ts";
import { createStorePlace, openTestStore, type StorePlace } from "../support/test-store.ts";

const login = "/service/login/api/v1/login";
const renewal = "/service/login/api/v1/logintoken/renew";
const subscribers = "/service/newsletter/api/internal/newsletter-subscribers";

/** Starts two replicas of the service, with the real services in the variables. */
async function startReplicas(place: StorePlace, variables: Record<string, string> = {}) {
  const { upstreams, siteUpstreams } = readEnv(variables);
  const start = async () => {
    const store = await openTestStore(testLogger, place);
    return (await createTestApp({ store, upstreams, siteUpstreams })).app;
  };
  return [await start(), await start()] as const;
}

/** A call from a page of a site, with the cookies of its browser. */
function call(replica: Express, method: "post" | "put", path: string, site: string, jar: Jar = {}) {
  const cookies = Object.entries(jar).map(([name, value]) => `${name}=${value}`);
  const own = { "X-hunter-csrf": "1", "Sec-Fetch-Site": "same-origin", Host: `${site.toLowerCase()}.localhost` };
  return request(replica)
    [method](path)
    .set({ ...own, Cookie: cookies.join("; ") });
}

const jarOf = (response: Response) => keep({}, response.get("Set-Cookie") ?? []);

it("a site that moves to real services leaves sessions, subscribers and limits of the others as they are", async () => {
  const place = await createStorePlace();
  const { db } = await openTestStore(testLogger, place);
  await addAccount(db, "customer", { email, password });
  const signIn = async (replica: Express, site: string) =>
    jarOf(await call(replica, "post", login, site).send({ email, password }).expect(200));
  const signUp = async (replica: Express, site: string, address: string) => {
    await call(replica, "post", subscribers, site).send(signUpOf(address)).expect(202);
    return `${subscribers}/${(await lastMail(db, address, "confirm")).subscriberToken}`;
  };
  const guess = (replica: Express) => call(replica, "post", login, "DE").send({ email: "eve@shop.example", password });

  const [one, other] = await startReplicas(place);
  const [ada, adaInAustria] = [await signIn(one, "DE"), await signIn(other, "AT")];
  const [bea, cleo] = [await signUp(one, "DE", "bea@shop.example"), await signUp(other, "AT", "cleo@shop.example")];
  for (const replica of [one, other, one, other, one]) await guess(replica).expect(401);

  const real = await startStub((incoming, response) => {
    // It doesn't know the sessions of the embedded service.
    if (incoming.url === renewal) response.writeHead(401).end();
    else answerRightly(incoming, response);
  });
  const services = ["LOGIN", "CUSTOMER", "NEWSLETTER", "PROMOTION"];
  const [third, fourth] = await startReplicas(
    place,
    Object.fromEntries(services.map((service) => [`UPSTREAM_${service}_URL_AT`, real.origin])),
  );
  const renewed = await call(third, "post", renewal, "DE", ada).send({}).expect(201);
  await call(fourth, "post", renewal, "DE", jarOf(renewed)).send({}).expect(201);
  await call(fourth, "put", `${bea}/doi`, "DE").expect(200);
  expect(await subscriptionOf(db, "bea@shop.example")).toMatchObject({ state: "confirmed" });
  // The pause after the fifth may be over, that after the sixth isn't.
  await guess(third);
  await guess(fourth).expect(429);
  await signUp(third, "PL", "bea@shop.example");
  const confirmations = (await mailsTo(db, "bea@shop.example")).filter(({ kind }) => kind === "confirm");
  const [first, second] = confirmations.map(({ createdAt }) => createdAt);
  expect(Number(second) - Number(first)).toBe(15 * minute);
  expect(real.requests).toEqual([]);

  await call(third, "post", renewal, "AT", adaInAustria).send({}).expect(401);
  await call(fourth, "put", `${cleo}/doi`, "AT").expect(200);
  expect(real.requests.map(({ url }) => url)).toEqual([renewal, `${cleo}/doi`]);
  expect(await subscriptionOf(db, "cleo@shop.example", "AT")).toMatchObject({ state: "pending" });
});
