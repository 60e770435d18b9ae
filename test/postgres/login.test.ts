import { describe, expect, it } from "vitest";
import { second } from "../../client/rules/time.ts";
import { createLogin } from "../../server/features/login/embedded/login-service.ts";
import { callerWith, email, openLogin, pass, password, renewed, signIn } from "../support/login-test.ts";
import { testLogger } from "../support/test-app.ts";
import { createStorePlace, openTestStore } from "../support/test-store.ts";

/** Two replicas of the service at the same time. */
async function openReplicas() {
  const place = await createStorePlace();
  const bench = await openLogin((await openTestStore(testLogger, place)).db);
  const { db } = await openTestStore(testLogger, place);
  const other = { ...bench, db, login: createLogin(bench, db) };
  return [bench, other] as const;
}

describe("replicas of the login service", () => {
  it("count login attempts together", async () => {
    const replicas = await openReplicas();
    const wrong = { email, password: "wrong password" };
    const answers = await Promise.all(
      replicas.flatMap(({ login }) => Array.from({ length: 15 }, () => login.login(wrong, callerWith()))),
    );
    expect(answers.filter(({ status }) => status === "unauthorized")).toHaveLength(5);
    expect(answers.filter(({ status }) => status === "rateLimited")).toHaveLength(25);
    for (const { login } of replicas) {
      expect(await login.login({ email, password }, callerWith())).toEqual({ status: "rateLimited", retryAfter: 2 });
    }
  });

  it("renew a session together, and end it for all", async () => {
    const [one, other] = await openReplicas();
    for (let i = 0; i < 10; i++) {
      const jar = await signIn(one, { stayLoggedIn: true });
      const answers = await Promise.all(
        [one, other].flatMap((replica) => Array.from({ length: 10 }, () => renewed(replica, jar))),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set(["renewed"]));
      pass(10 * second);
      expect((await renewed(other, jar)).status).toBe("ended");
      for (const replica of [one, other]) {
        expect((await renewed(replica, answers[0]?.jar ?? {})).status).toBe("ended");
      }
    }
  });
});
