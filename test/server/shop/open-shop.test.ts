import cookieParser from "cookie-parser";
import express, { type ErrorRequestHandler, type RequestHandler } from "express";
import request from "supertest";
import { describe, expect, it, vi } from "vitest";
import { realServices, type UpstreamUrls } from "../../../server/services/real-services.ts";
import { openShop } from "../../../server/shop/open-shop.ts";
import { createTestApp } from "../../support/test-app.ts";

const { deps } = await createTestApp();
const nobody = "http://127.0.0.1:9";
const openMailTransport = vi.fn(() => ({ send: async () => undefined, close: () => undefined }));

const unanswered = "nobody answers";
const answerFailures: ErrorRequestHandler = (_error, _request, response, _next) => void response.status(400).end();

/** The shop with some services elsewhere, and how often the store was opened for the others. */
async function open(upstreams: UpstreamUrls) {
  openMailTransport.mockClear();
  const openStore = vi.fn(async () => deps.store);
  const shop = await openShop({ env: { ...deps, upstreams }, parts: deps, openStore, openMailTransport });
  const nobodyAnswers: RequestHandler = (_request, response) => void response.status(404).send(unanswered);
  const embedded = express().use(cookieParser(), shop.routes, nobodyAnswers, answerFailures);
  return { shop, embedded, openStore };
}

/** A call of each service that its embedded form answers. */
const calls = {
  abtest: "/service/abtestfrontend/api/v1/gettestsat",
  promotion: "/service/promotion/api/promotion/SHOP_FOOTER",
  newsletter: "/service/newsletter/api/internal/newsletter-subscribers/no-token-of-anybodys",
  customer: "/service/customerfrontenddata/api/v1/psdata",
  login: "/service/login/api/v1/logout",
  preview: "/service/preview/api/auth/checkauth",
};

async function isAnswered(app: express.Express, name: keyof typeof calls): Promise<boolean> {
  const call = name === "login" ? request(app).post(calls[name]) : request(app).get(calls[name]);
  return (await call).text !== unanswered;
}

describe("the shop", () => {
  it("answers for every service from one store where all are embedded", async () => {
    const { shop, embedded, openStore } = await open({});
    for (const { name } of realServices) expect(await isAnswered(embedded, name), name).toBe(true);
    expect(openStore).toHaveBeenCalledOnce();
    expect(shop.jobs.length).toBeGreaterThan(0);
  });

  it.each(realServices)("builds nothing of an embedded $name service where the real one's URL is set", async (one) => {
    const { embedded } = await open({ [one.name]: nobody });
    for (const { name } of realServices) expect(await isAnswered(embedded, name), name).toBe(name !== one.name);
  });

  it("opens no store and does nothing by itself where all services are real", async () => {
    const everywhere = Object.fromEntries(realServices.map(({ name }) => [name, nobody]));
    const { shop, openStore } = await open(everywhere);
    expect(openStore).not.toHaveBeenCalled();
    expect(openMailTransport).not.toHaveBeenCalled();
    expect(shop.jobs).toEqual([]);
    expect(shop.preview).toBeUndefined();
    expect(shop.signIns).toEqual([]);
  });
});
