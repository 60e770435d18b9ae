import { cp, mkdtemp, readdir, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { load } from "cheerio";
import PostalMime from "postal-mime";
import request from "supertest";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import greekFooter from "../../../examples/maestral/locales/el-GR/footer.json" with { type: "json" };
import greekMail from "../../../examples/maestral/locales/el-GR/mail.json" with { type: "json" };
import greekSubscription from "../../../examples/maestral/locales/el-GR/subscription.json" with { type: "json" };
import croatianFooter from "../../../examples/maestral/locales/hr-HR/footer.json" with { type: "json" };
import { type ServiceProcess, startProcess, stopProcesses } from "../../support/start-process.ts";

const folder = await mkdtemp(join(tmpdir(), "foreign-shop-"));
const dataDir = join(folder, "data");
const password = "correct horse battery staple";
const email = "eleni@shop.example";
let service: ServiceProcess;
let address = "";

beforeAll(async () => {
  await cp("dist", join(folder, "service/dist"), { recursive: true });
  await symlink(resolve("node_modules"), join(folder, "service/node_modules"));
  await cp("examples/maestral", join(folder, "shop"), { recursive: true });
  service = startProcess(
    { SHOP_DIR: join(folder, "shop"), DATA_DIR: dataDir, DEMO: "on", DEMO_PASSWORD: password },
    [process.execPath, "dist/server/main.js"],
    join(folder, "service"),
  );
  address = `http://127.0.0.1:${await service.port}`;
}, 30_000);
afterAll(async () => {
  stopProcesses();
  await service.ended;
  await rm(folder, { recursive: true });
});

/** A page or a form's answer of the Greek site, which is asked by its host. */
const ofGreece = { Host: "gr.localhost", Origin: "http://gr.localhost", "Sec-Fetch-Site": "same-origin" };
const get = (path: string) => request(address).get(path).set(ofGreece);
const send = (path: string, fields: object) => request(address).post(path).set(ofGreece).type("form").send(fields);

/** The latest mail to the address, once it has been sent. */
async function mailTo(count: number) {
  const files = await vi.waitFor(async () => {
    const found = (await readdir(join(dataDir, "outbox"))).filter((file) => file.endsWith(".eml"));
    expect(found).toHaveLength(count);
    return found.sort();
  }, 10_000);
  return PostalMime.parse(await readFile(join(dataDir, "outbox", files.at(-1) ?? ""), "utf8"));
}

describe("a foreign shop, from a folder elsewhere", () => {
  it("says what is its own, and of which site requests are that name none", () => {
    const [line] = service.stdout().split("\n");
    const { settings, sites } = JSON.parse(line ?? "");
    expect(settings).toMatchObject({ SHOP_DIR: join(folder, "shop"), DEFAULT_SITE: "GR" });
    expect(Object.keys(sites)).toEqual(["GR", "HR"]);
  });

  it.each([
    ["GR", "el-GR", greekFooter, ["Ελλάδα", "Hrvatska"]],
    ["HR", "hr-HR", croatianFooter, ["Ελλάδα", "Hrvatska"]],
  ] as const)(
    "has the footer of %s in its language, with what it has drawn itself",
    async (site, locale, texts, names) => {
      const answer = await request(address).get(`/fragments/footer/${site}`).expect(200);
      const $ = load(answer.text);
      expect($("footer").attr()).toMatchObject({ lang: locale, "data-site": site });
      expect($("h2").first().text()).toBe(texts.headline);
      expect($("[data-section=social] a").last().text()).toContain(texts["social.viber"]);
      expect($("footer").text()).not.toMatch(/[{}]/);
      const items = $("[data-section=country-switcher] a");
      expect(
        items
          .toArray()
          .map((item) => $(item).text())
          .sort(),
      ).toEqual([...names].sort());

      const sprite = await request(address)
        .get(String($("use").first().attr("href")?.split("#")[0]))
        .expect(200);
      const ids = [...sprite.body.toString().matchAll(/<symbol id="([^"]+)"/g)].map(([, id]) => id);
      for (const use of $("use")) expect(ids).toContain($(use).attr("href")?.split("#")[1]);
      for (const image of $("img"))
        await request(address)
          .get(String($(image).attr("src")))
          .expect(200);
    },
  );

  it("takes a sign-up, and confirms it by the link of its mail", async () => {
    const form = load((await get("/subscribenewsletter").expect(200)).text)("form[action^='/newsletter']");
    expect(form.find("button").text()).toContain("Εγγραφή");
    const signUp = { email, origin: "NEWSLETTER", originAddition: "page", consents: "NEWSLETTER" };
    await send("/newsletter", signUp).expect(303);
    const mail = await mailTo(1);
    expect(mail.subject).toBe(greekMail["confirm.subject"]);
    expect(mail.html).toContain('<html lang="el-GR">');
    expect(mail.text).toContain("Οδός Παραδείγματος 1, 105 57 Αθήνα");
    const link = new URL(load(mail.html ?? "")("a.button").attr("href") ?? "");
    expect(link.hostname).toBe("gr.localhost");

    const page = load((await get(link.pathname + link.search).expect(200)).text);
    expect(page("h1").text()).toBe(greekSubscription["confirm.title"]);
    const token = page("input[name=token]").attr("value");
    const { headers } = await send("/newsletter/confirm", { token }).expect(303);
    expect(load((await get(String(headers.location)).expect(200)).text)("h1").text()).toBe(
      greekSubscription["confirmed.title"],
    );
    expect((await mailTo(2)).subject).toMatch(/Καλώς ήρθατε! .* 10\s?%$/);
  });

  it("finds no text missing on the way", () => {
    expect(service.stderr()).toBe("");
    expect(service.stdout()).not.toMatch(/"level":(?:40|50|60)/);
  });
});
