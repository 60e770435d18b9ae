import { load } from "cheerio";
import request from "supertest";
import { describe, expect, it, onTestFinished } from "vitest";
import { day, hour, type Moment } from "../../../../client/rules/time.ts";
import { readEnv } from "../../../../server/config/env.ts";
import { startMail } from "../../../browser/start-mail.ts";
import { signUpOf } from "../../../support/newsletter-test.ts";
import { queued } from "../../../support/sample-mails.ts";
import { brand, countries, createTestApp, type TestChanges, testLogger } from "../../../support/test-app.ts";
import { openTestStore } from "../../../support/test-store.ts";

const subject = "Bitte bestätigen Sie Ihre Newsletter-Anmeldung";

const smtp = { send: async () => undefined, close: () => undefined };

/** A demo that sends a mail when the test asks for it. */
async function openDemo(changes: TestChanges = {}) {
  const store = await openTestStore(testLogger);
  const mail = startMail(store, countries, brand);
  onTestFinished(() => mail.worker.close());
  const { app } = await createTestApp({ store, openMailTransport: () => mail.transport, ...changes });
  const get = (path: string) => request(app).get(path).set("Host", "localhost:3000");
  const open = async (path: string) => load((await get(path).expect(200)).text);
  return {
    get,
    open,
    async signUp(email: string) {
      const page = { "X-hunter-csrf": "1", "Sec-Fetch-Site": "same-origin", "X-Site": "DE" };
      await request(app)
        .post("/service/newsletter/api/internal/newsletter-subscribers")
        .set(page)
        .send(signUpOf(email))
        .expect(202);
      expect(await mail.mailsTo(email)).toHaveLength(1);
    },
    add: (mails: ReturnType<typeof queued>[]) => store.db.insertInto("mailOutbox").values(mails).execute(),
    async list() {
      const $ = await open("/outbox");
      const rows = $("tbody tr").toArray();
      return rows.map((row) => ({
        url: $(row).find("a").attr("href") ?? "",
        cells: $(row)
          .children()
          .toArray()
          .map((cell) => $(cell).text()),
      }));
    },
  };
}

/** Returns an email that is due tomorrow. */
function waiting(at: Moment = Date.now() + day) {
  return queued({ attempts: 0, createdAt: at, nextAttemptAt: at });
}

it("the pages for teams link to each other", async () => {
  const { open } = await openDemo();
  for (const path of ["/", "/outbox", "/widgets", "/widgets/button"]) {
    const $ = await open(path);
    const links = $("nav").first().find("a").toArray();
    expect(links.map((link) => $(link).attr("href"))).toEqual([
      ...["/", "/#shops", "/#services", "/outbox", "/widgets", `${countries.get("DE")?.origin}/preview`],
    ]);
    const current = links.flatMap((link) => $(link).attr("aria-current") ?? []);
    expect(current, path).toEqual([path === "/widgets/button" ? "true" : "page"]);
  }
});

describe("the outbox", () => {
  it("lists sent and waiting mails, the newest first, or leads to a form that causes one", async () => {
    const { add, get, list, open, signUp } = await openDemo();
    const empty = await open("/outbox");
    expect(empty("main").text()).toContain("There are no emails yet");
    const { pathname } = new URL(empty("header a").attr("href") ?? "");
    expect((await get(pathname).expect(200)).text).toContain('action="/newsletter"');
    await signUp("berta@shop.example");
    await add([{ ...waiting(Date.UTC(2040, 1, 3, 11)), recipient: "anna@shop.example", site: "TR" }]);
    expect((await list()).map(({ cells }) => cells)).toEqual([
      ["Lütfen e-bülten kaydınızı onaylayın", "anna@shop.example", "TR", "waiting", "3 Feb 2040, 14:00"],
      [subject, "berta@shop.example", "DE", "sent", expect.stringMatching(/^\d+ \w+ \d{4}, \d\d:\d\d$/)],
    ]);
    await add(Array.from({ length: 60 }, (_value, index) => waiting(Date.now() + day + index * hour)));
    const times = (await list()).map(({ cells }) => Date.parse(cells[4] ?? ""));
    expect(times).toHaveLength(50);
    expect(times).toEqual(times.toSorted((a, b) => b - a));
  });

  it("shows a mail as HTML, whose links open outside the frame, as plain text, and with its headers", async () => {
    const { get, list, open, signUp } = await openDemo();
    await signUp("anna@shop.example");
    const [{ url } = { url: "" }] = await list();
    const $ = await open(url);
    expect($("title").text()).toBe(`${subject} – Storefront Fragments: emails`);
    expect($("h2").first().text()).toBe(subject);
    expect($("main a[aria-current]").attr("href")).toBe(url);
    expect($("pre").text()).toMatch(/:\nhttp:\/\/de\.localhost:3000\/newsletter\/confirm\?token=\S+\n/);
    const headers = $(".sf-overview-headers tbody th").toArray();
    expect(headers.map((header) => $(header).text())).toEqual(
      expect.arrayContaining(["From", "To", "Message-ID", "Auto-Submitted", "List-Unsubscribe"]),
    );
    const mail = load((await get($("iframe").attr("src") ?? "").expect(200)).text);
    expect(mail("h1").text()).toBe("Bitte bestätigen Sie Ihre Anmeldung");
    expect(mail("base").attr()).toEqual({ target: "_blank" });
  });

  it("runs nothing that a mail contains, and isn't stored by caches or robots", async () => {
    const planted = "<script>alert(1)</script><img src=x onerror=alert(1)>";
    const message = [
      `Subject: ${planted}`,
      `X-Planted: ${planted}`,
      "Content-Type: multipart/alternative; boundary=a",
      ...["", "--a", "Content-Type: text/plain", "", `</pre>${planted}`],
      ...["--a", "Content-Type: text/html", "", `<html><head></head>${planted}</html>`, "--a--", ""],
    ].join("\r\n");
    const { add, get, list, open } = await openDemo({
      openMailTransport: () => ({ ...smtp, find: async () => Buffer.from(message) }),
    });
    await add([{ ...queued(), state: "sent", recipient: `"${planted}"@shop.example` }]);
    const [{ url } = { url: "" }] = await list();
    for (const path of ["/outbox", url]) {
      const $ = await open(path);
      expect($("script, img")).toHaveLength(0);
      expect($("body").text()).toContain(planted);
      const { headers } = await get(path);
      expect(headers["content-security-policy"]).toMatch(/script-src 'self'( 'nonce-\S+')?;/);
      expect(headers["cache-control"]).toContain("no-store");
      expect($("meta[name=robots]").attr("content")).toBe("noindex");
    }
    const { headers } = await get(`${url}/html`).expect(200);
    expect(headers["content-security-policy"]).toMatch(/^default-src 'none';.*;sandbox allow-popups/);
    expect(headers["content-security-policy"]).not.toMatch(/script|same-origin/);
    expect(headers).toMatchObject({ "cache-control": "no-store", "x-robots-tag": "noindex" });
  });

  it("reports that the content of a mail isn't stored any more", async () => {
    const { add, get, list, open } = await openDemo();
    await add([{ ...queued(), state: "sent", data: "{}" }]);
    const [{ url, cells } = { url: "", cells: [] }] = await list();
    expect(cells[0]).toBe("not stored");
    expect((await open(url))("main").text()).toContain("The content of this email is no longer stored.");
    await get(`${url}/html`).expect(404);
  });

  it("has no page for an unknown mail", async () => {
    const { get } = await openDemo();
    for (const path of ["/outbox/unknown", "/outbox/unknown/html", "/outbox/..%2F..%2Fetc%2Fpasswd"])
      await get(path).expect(404);
  });

  it.each([
    ["in production", { outbox: readEnv({ NODE_ENV: "production", DEMO: "on", OVERVIEW: "on" }).outbox }],
    ["without the overview", { outbox: readEnv({ OVERVIEW: "off" }).outbox }],
    ["where an SMTP server sends the mails", { openMailTransport: () => smtp }],
    ["where a real newsletter service sends them", { upstreams: { newsletter: "http://127.0.0.1:9" } }],
  ])("doesn't exist %s", async (_where, changes) => {
    const { get } = await openDemo(changes);
    for (const path of ["/outbox", "/outbox/unknown/html"]) await get(path).expect(404);
    expect((await get("/")).text).not.toContain("/outbox");
  });
});
