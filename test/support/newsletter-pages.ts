import { type CheerioAPI, load } from "cheerio";
import type { Express } from "express";
import request from "supertest";
import { expect } from "vitest";
import type { Site } from "../../server/sites/countries.ts";
import { textValues } from "../../server/sites/legal-texts.ts";
import { newAddress } from "./new-address.ts";
import { texts } from "./test-app.ts";

/** Sends a form as a browser without script does, from a network of its own unless a header says otherwise. */
export function sendForm(app: Express, path: string, fields: object | string, headers: Record<string, string> = {}) {
  return request(app)
    .post(path)
    .type("form")
    .set({ "X-Forwarded-For": newAddress(), ...headers })
    .send(fields);
}

export function openPage(app: Express, path: string, { localHost }: Site) {
  return request(app).get(path).set("Host", localHost);
}

/** Creates the translator of a site's sign-up block. */
export function blockText({ locale, newsletter }: Site) {
  return texts.translator(locale, "newsletter", textValues(locale, newsletter));
}

/** Creates the translator of the pages around it. */
export function pageText({ locale, facts }: Site) {
  return texts.translator(locale, "subscription", facts);
}

/** Expects a page of a site that isn't cached and doesn't send its URL to other origins. */
export function expectPage(answer: request.Response, status: number, { locale, site }: Site): CheerioAPI {
  expect([answer.status, answer.type]).toEqual([status, "text/html"]);
  expect(answer.headers).toMatchObject({ "cache-control": "no-store", "referrer-policy": "same-origin" });
  const $ = load(answer.text);
  expect($("html").attr("lang")).toBe(locale);
  expect($("footer[data-fragment=footer]").attr("data-site")).toBe(site);
  return $;
}

/** Expects the page with the sign-up block. */
export function expectBlock(answer: request.Response, status: number, site: Site): CheerioAPI {
  const $ = expectPage(answer, status, site);
  expect($("title").text()).toContain(pageText(site)("subscribe.title"));
  expect($("section[data-fragment=newsletter]").attr("data-site")).toBe(site.site);
  return $;
}
