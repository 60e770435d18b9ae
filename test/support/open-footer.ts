import { type CheerioAPI, load } from "cheerio";
import type { Express } from "express";
import request from "supertest";

/** Requests the footer of a site. */
export async function openFooter(app: Express, site: string, parameters = ""): Promise<CheerioAPI> {
  const { text } = await request(app).get(`/fragments/footer?site=${site}${parameters}`).expect(200);
  return load(text, null, false);
}

/** A text with one space wherever there is any. */
export function oneSpaced(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** Lists the texts of the links in a part. */
export function linkTexts($: CheerioAPI, within: string): string[] {
  return $(within)
    .find("a")
    .map((_index, link) => oneSpaced($(link).text()))
    .get();
}
