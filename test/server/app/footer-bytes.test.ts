import { gzipSync } from "node:zlib";
import request from "supertest";
import { describe, expect, it } from "vitest";
import { createTestApp, sites } from "../../support/test-app.ts";

/** The limits of a footer's HTML in bytes, the same for every site. Every page contains a footer. */
const limits = { raw: 20_500, gzip: 5_632 };
const limitOfGermany = 5_120;

const { app } = await createTestApp();

describe.each(sites)("the footer of $site", ({ site }) => {
  it("adds few bytes to a page, and no icon is an element with an address", async () => {
    const { text } = await request(app).get(`/fragments/footer/${site}`).expect(200);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limits.raw);
    expect(gzipSync(text).length).toBeLessThanOrEqual(site === "DE" ? limitOfGermany : limits.gzip);
    expect(text).not.toMatch(/<(?:svg|use)\b/);
  });
});
