import request from "supertest";
import { describe, expect, it } from "vitest";
import { createTestApp, testLogger } from "../../../support/test-app.ts";
import { openTestStore } from "../../../support/test-store.ts";

const path = "/service/abtestfrontend/api/v1";
const { app } = await createTestApp();
const testsAt = (time: string) => request(app).get(`${path}/gettestsat`).query({ time });
const demoTest = { name: "footer-promotion", groups: [{ name: "A" }, { name: "B" }] };

describe("the list of A/B tests", () => {
  it.each(["2026-01-01T00:00:00Z", "2026-01-01T00:00:00+14:00", "2026-01-01T00:00-11:00", "2031-07-01T12:00:00.123Z"])(
    "has the one of the demo from 2026 on, wherever that is: %s",
    async (time) => {
      const { body, headers } = await testsAt(time).expect(200);
      expect(body).toEqual([demoTest]);
      expect(headers["content-type"]).toBe("application/json; charset=utf-8");
      expect(headers["cache-control"]).toBe("no-store");
    },
  );

  it.each(["2019-12-31T23:59:59Z", "-271821-04-20T00:00:00Z"])("is empty before 2020: %s", async (time) => {
    expect((await testsAt(time).expect(200)).body).toEqual([]);
  });

  it("is that of now when no time is given, and takes an offset whose plus wasn't encoded", async () => {
    for (const query of ["", "?time=2026-01-01T00:00:00+01:00"])
      expect((await request(app).get(`${path}/gettestsat${query}`).expect(200)).body).toEqual([demoTest]);
  });

  it.each([...["", "now", "2026-01-01T00:00:00", "2026-02-30T00:00:00Z", "1767225600000", "+999999-01-01T00:00:00Z"]])(
    "rejects a time without an offset, or that doesn't exist: %j",
    async (time) => {
      const { body } = await testsAt(time).expect(400);
      expect(body).toEqual({
        type: "INVALID_REQUEST",
        title: "time is wrong",
        status: 400,
        errors: [{ field: "time", message: expect.stringContaining("ISO 8601") }],
      });
    },
  );

  it("holds the tests that are active at a time, by name, with their groups in order", async () => {
    const store = await openTestStore(testLogger);
    const [start, end] = [Date.UTC(2026, 5, 1), Date.UTC(2026, 6, 1)];
    const tests = [
      { name: "second", validFrom: start, validTo: null },
      { name: "first", validFrom: start, validTo: end },
    ];
    await store.db.insertInto("abTest").values(tests).execute();
    const groups = ["Z", "A", "M"].map((name, position) => ({ test: "first", name, position }));
    await store.db
      .insertInto("abTestGroup")
      .values([...groups.toReversed(), { test: "second", name: "A", position: 0 }])
      .execute();
    const { app: own } = await createTestApp({ store });
    const at = async (time: number) =>
      (
        await request(own)
          .get(`${path}/gettestsat`)
          .query({ time: new Date(time).toISOString() })
      ).body;

    const first = { name: "first", groups: [{ name: "Z" }, { name: "A" }, { name: "M" }] };
    const second = { name: "second", groups: [{ name: "A" }] };
    expect(await at(start - 1)).toEqual([]);
    expect(await at(start)).toEqual([first, second]);
    expect(await at(end - 1)).toEqual([first, second]);
    expect(await at(end)).toEqual([second]);
  });
});

it("the assignment is the first group of every active test for all visitors, and sets no cookie", async () => {
  for (const cookie of ["", "platform=desktop", "LongtermToken=1"]) {
    const { body, headers } = await request(app).get(`${path}/getassignment`).set("Cookie", cookie).expect(200);
    expect(body).toEqual([{ name: "footer-promotion", group: "A" }]);
    expect(headers["cache-control"]).toBe("no-store");
    expect(headers).not.toHaveProperty("set-cookie");
  }
});
