import express from "express";
import request from "supertest";
import { describe, expect, it } from "vitest";
import type { Customer } from "../../../../server/services/customer-service.ts";
import { customerRoutes } from "../../../../server/shop/customer/customer-routes.ts";
import { callerOf, openNewsletter, signUp } from "../../../support/newsletter-test.ts";
import { createTestApp } from "../../../support/test-app.ts";

const base = "/service/newsletter/api/private/customers";
const bench = await openNewsletter();
const { app, deps } = await createTestApp();

function appOf(customer: Customer) {
  return express().use(customerRoutes({ db: bench.db, identify: async () => customer, siteOf: deps.siteOf }));
}

describe("a customer's data", () => {
  it.each(["base-data", "newsletter-status"])("is for nobody who isn't signed in: %s", async (path) => {
    const { body } = await request(app).get(`${base}/${path}`).expect(401);
    expect(body).toEqual({ type: "UNAUTHORIZED", title: "nobody is signed in", status: 401 });
  });

  it("is what the form takes", async () => {
    const customer = {
      email: "ada@shop.example",
      salutation: "MRS",
      firstName: "Ada",
      lastName: "Beispiel",
      consents: ["DNE"],
    };
    const { body } = await request(appOf(customer)).get(`${base}/base-data`).expect(200);
    expect(body).toEqual(customer);
  });

  it("tells where the subscription to the site stands", async () => {
    const app = appOf({ email: "Ada@SHOP.example", consents: [] });
    const statusOn = async (site: string) =>
      (await request(app).get(`${base}/newsletter-status`).set("X-Site", site).expect(200)).body;
    expect(await statusOn("PL")).toEqual({ status: "NONE" });
    const token = await signUp(bench, "Ada@shop.example", "PL");
    expect(await statusOn("PL")).toEqual({ status: "WAITING_FOR_DOI" });
    await bench.newsletter.confirm(token, callerOf("PL"));
    expect(await statusOn("PL")).toEqual({ status: "SUBSCRIBED" });
    expect(await statusOn("DE")).toEqual({ status: "NONE" });
    await bench.newsletter.unsubscribe(token, callerOf("PL"));
    expect(await statusOn("PL")).toEqual({ status: "UNSUBSCRIBED" });
  });
});
