import { randomBytes } from "node:crypto";
import { decodeJwt, decodeProtectedHeader, SignJWT } from "jose";
import request from "supertest";
import { describe, expect, it } from "vitest";
import { addAccount } from "../../../server/accounts/accounts.ts";
import { subscriberPaths } from "../../../server/features/newsletter/service.ts";
import { type Jar, keep } from "../../support/cookie-jar.ts";
import { email, password } from "../../support/login-test.ts";
import {
  call,
  choose,
  christmas,
  cookiesOf,
  header,
  ours,
  base as previewBase,
  signIn as signInStaff,
} from "../../support/preview-test.ts";
import { createTestApp } from "../../support/test-app.ts";
import { testKeys } from "../../support/test-store.ts";

const { app, deps } = await createTestApp({ trustProxy: ["loopback"] });
const { db } = deps.store;
await addAccount(db, "customer", { email, password });
const loginBase = "/service/login/api/v1";
const signedIn = await call(app, `${loginBase}/login`).send({ email, password, stayLoggedIn: true }).expect(200);
const customer = keep({}, cookiesOf(signedIn));
const staff = await choose(app, await signInStaff(app, db), christmas);
const link = await call(app, `${previewBase}/share`, staff).send({ path: "/" }).expect(200);
const share = new URL(link.body.url).searchParams.get("share") ?? "";

const get = (path: string, jar: Jar) =>
  request(app)
    .get(path)
    .set({ Host: "de.localhost", Cookie: header(jar) });

interface Kind {
  /** One as the service has issued it. */
  token: string;
  /** Sends a text in its place. */
  send(text: string): Promise<{ status: number; accepted: boolean }>;
}

const kinds: Record<string, Kind> = {
  login: {
    token: customer.login ?? "",
    async send(login: string) {
      const { status, text } = await get("/service/customerfrontenddata/api/v1/psdata", { login });
      return { status, accepted: text.includes(email) };
    },
  },
  LongtermToken: {
    token: customer.LongtermToken ?? "",
    async send(LongtermToken: string) {
      const { status } = await call(app, `${loginBase}/logintoken/renew`, { LongtermToken });
      return { status, accepted: status === 201 };
    },
  },
  StaffAuthToken: {
    token: staff.StaffAuthToken ?? "",
    send: (StaffAuthToken) => checkStaff({ ...staff, StaffAuthToken }),
  },
  CobraAuthToken: {
    token: staff.CobraAuthToken ?? "",
    send: (CobraAuthToken) => checkStaff({ ...staff, CobraAuthToken }),
  },
  PreviewContext: {
    token: staff.PreviewContext ?? "",
    async send(PreviewContext: string) {
      const { status, body } = await get(`${previewBase}/auth/checkauth`, { ...staff, PreviewContext });
      return { status, accepted: body.dateTime === christmas };
    },
  },
  share: {
    token: share,
    async send(text: string) {
      const { status } = await get(`/preview?share=${encodeURIComponent(text)}`, staff);
      return { status, accepted: status !== 410 };
    },
  },
};
const all = [customer, staff].flatMap((jar) => Object.values(jar)).concat(share);

async function checkStaff(jar: Jar) {
  const { status } = await get(`${previewBase}/auth/checkauth`, jar);
  return { status, accepted: status === 200 };
}

/** Signs claims like a token's, with the service's key unless another is given. */
function sign(token: string, { claims = {}, protectedHeader = {}, key = keyOf(token) }) {
  const alg = { ...decodeProtectedHeader(token), alg: "HS256", ...protectedHeader };
  return new SignJWT({ ...decodeJwt(token), ...claims }).setProtectedHeader(alg).sign(key);
}

function keyOf(token: string): Buffer {
  return testKeys.signing(`tokens for ${decodeJwt(token).aud}`);
}

/** Forgeries of a token by name. */
async function forge(token: string): Promise<Record<string, string>> {
  const [head = "", claims = "", signature = ""] = token.split(".");
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const withHead = (changes: object) => encode({ ...decodeProtectedHeader(token), ...changes });
  const flip = (part: string) => `${part.slice(0, 9)}${part[9] === "A" ? "B" : "A"}${part.slice(10)}`;
  const now = Math.floor(Date.now() / 1000);
  return {
    "no algorithm": `${withHead({ alg: "none" })}.${claims}.`,
    "no algorithm, in capitals": `${withHead({ alg: "NONE" })}.${claims}.${signature}`,
    "another algorithm": await sign(token, { protectedHeader: { alg: "HS512" } }),
    "another key": await sign(token, { key: randomBytes(32) }),
    "a key of its own": await sign(token, {
      key: Buffer.alloc(32, "k"),
      protectedHeader: { jwk: { kty: "oct", k: Buffer.alloc(32, "k").toString("base64url") } },
    }),
    "another type": await sign(token, { protectedHeader: { typ: "JWT" } }),
    "another audience": await sign(token, { claims: { aud: "others" } }),
    "the past": await sign(token, { claims: { exp: now - 60 } }),
    "the future": await sign(token, { claims: { nbf: now + 600 } }),
    "no end": await sign(token, { claims: { exp: undefined } }),
    "an unknown extension": `${withHead({ crit: ["x"], x: 1 })}.${claims}.${signature}`,
    "another header": `${flip(head)}.${claims}.${signature}`,
    "other claims": `${head}.${flip(claims)}.${signature}`,
    "another signature": `${head}.${claims}.${flip(signature)}`,
    "half a token": token.slice(0, token.length / 2),
    "no signature": `${head}.${claims}.`,
    "two parts": `${head}.${claims}`,
    "four parts": `${token}.${signature}`,
    "no claims": `${head}..${signature}`,
    "no JSON": `${head}.${Buffer.from("{").toString("base64url")}.${signature}`,
    nothing: "",
    "a long text": "A".repeat(3_000),
  };
}

describe.each(Object.entries(kinds))("a token %s", (_name, { token, send }) => {
  it("is refused when it is forged or another's, and accepted as it was issued", async () => {
    const others = all.filter((other) => other !== token).map((other, i) => [`another token ${i}`, other] as const);
    const forged = { ...(await forge(token)), ...Object.fromEntries(others) };
    for (const [name, text] of Object.entries(forged)) {
      const { status, accepted } = await send(text);
      expect({ name, accepted, failed: status >= 500 }).toEqual({ name, accepted: false, failed: false });
    }
    expect(await send(token)).toMatchObject({ accepted: true });
  });
});

it("no other token is accepted in place of the one in a newsletter's link", async () => {
  for (const text of [...all, ...Object.values(await forge(share))].filter(Boolean)) {
    const { status, body } = await request(app)
      .put(`${subscriberPaths[0]}/${encodeURIComponent(text)}/doi`)
      .set({ Host: "de.localhost", ...ours });
    expect([status, body.type]).toEqual([404, "INVALID_TOKEN"]);
  }
});
