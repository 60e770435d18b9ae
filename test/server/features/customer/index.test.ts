import express from "express";
import request from "supertest";
import { describe, expect, it } from "vitest";
import { hour } from "../../../../client/rules/time.ts";
import type { NewsletterSubscription } from "../../../../schemas/types.ts";
import { createCustomer } from "../../../../server/features/customer/index.ts";
import type { Customer } from "../../../../server/features/customer/service.ts";
import { listSubscriptions } from "../../../../server/features/newsletter/embedded/subscriptions.ts";
import { callerOf, lastMail, openNewsletter, signUp, signUpOf } from "../../../support/newsletter-test.ts";
import { createTestApp } from "../../../support/test-app.ts";

const base = "/service/newsletter/api/private/customers";
const bench = await openNewsletter();
const { app, context } = await createTestApp();

function appOf(customer: Customer) {
  const sessions = {
    identify: async () => customer,
    findKnownEmail: async () => undefined,
    removeEndedClock: async () => [],
  };
  const { service } = createCustomer(
    context,
    () => sessions,
    (email) => listSubscriptions(bench.db, email),
  );
  return express().use(...(service?.routes ?? []));
}

describe("a customer's data", () => {
  it.each(["base-data", "newsletter-status"])("needs a signed-in customer: %s", async (path) => {
    const { body } = await request(app).get(`${base}/${path}`).expect(401);
    expect(body).toEqual({ type: "UNAUTHORIZED", title: "nobody is signed in", status: 401 });
  });

  it("has what the address has confirmed at the newsletter: a name of any site, the consents of this one", async () => {
    const email = "bea@shop.example";
    const app = appOf({ email, consents: [] });
    const dataOn = async (site: string) => (await request(app).get(`${base}/base-data`).set("X-Site", site)).body;
    const subscribe = async (
      site: string,
      consents: NonNullable<NewsletterSubscription["consents"]>,
      firstName: string,
    ) => {
      await bench.newsletter.subscribe(signUpOf(email, { firstName, consents }), callerOf(site));
      bench.pass(hour);
      return (await lastMail(bench.db, email, "confirm")).subscriberToken;
    };
    const token = await subscribe("AT", ["DNE"], "Bea");
    expect(await dataOn("AT")).toEqual({ email, consents: [] });
    await bench.newsletter.confirm(token, callerOf("AT"));
    const asConfirmed = { email, salutation: "MRS", firstName: "Bea", lastName: "Beispiel" };
    expect(await dataOn("AT")).toEqual({ ...asConfirmed, consents: ["DNE"] });
    expect(await dataOn("DE")).toEqual({ ...asConfirmed, consents: [] });
    await bench.newsletter.confirm(await subscribe("TR", ["NEWSLETTER"], "Beatrix"), callerOf("TR"));
    expect(await dataOn("TR")).toMatchObject({ firstName: "Beatrix", consents: ["NEWSLETTER"] });
    expect(await dataOn("AT")).toMatchObject({ firstName: "Bea", consents: ["DNE"] });
    await bench.newsletter.unsubscribe(token, callerOf("AT"));
    expect(await dataOn("AT")).toMatchObject({ firstName: "Beatrix", consents: [] });
  });

  it("has the name of the account before any other, and its consents on every site", async () => {
    const email = "cleo@shop.example";
    const app = appOf({ email, firstName: "Cleo", consents: ["DNE"] });
    await bench.newsletter.confirm(await signUp(bench, email, "TR"), callerOf("TR"));
    const { body } = await request(app).get(`${base}/base-data`).set("X-Site", "TR").expect(200);
    expect(body).toEqual({
      email,
      salutation: "MRS",
      firstName: "Cleo",
      lastName: "Beispiel",
      consents: ["DNE", "NEWSLETTER"],
    });
  });

  it("holds the status of the subscription on the site", async () => {
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
