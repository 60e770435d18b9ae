/**
 * Reports listmonk's bounces and complaints of the last three days to the shop, which ignores known ones. Run it every
 * few minutes. README.md lists the variables.
 */
import { createHmac } from "node:crypto";

const { LISTMONK_URL, LISTMONK_TOKEN, NEWSLETTER_EVENTS_SECRET, SHOP_URL } = process.env;
const secret = Buffer.from(NEWSLETTER_EVENTS_SECRET.replace("whsec_", ""), "base64");
const from = Date.now() - 3 * 24 * 60 * 60 * 1000;

for (let [page, isMore] = [1, true]; isMore; page++) {
  const bounces = await readPage(page);
  const recent = bounces.filter(({ created_at }) => Date.parse(created_at) >= from);
  for (const bounce of recent) await report(bounce);
  isMore = recent.length > 0 && recent.length === bounces.length;
}

/** Reads a page of bounces, newest first. */
async function readPage(page) {
  const query = new URLSearchParams({ page, per_page: 50, order_by: "created_at", order: "desc" });
  const headers = { authorization: `token ${LISTMONK_TOKEN}` };
  const answer = await fetch(`${LISTMONK_URL}/api/bounces?${query}`, { headers, signal: AbortSignal.timeout(10_000) });
  if (!answer.ok) throw new Error(`listmonk answers with ${answer.status}`);
  return (await answer.json()).data.results;
}

async function report({ id, type, email, created_at }) {
  const what = type === "complaint" ? { type: "subscription.complained" } : { type: "subscription.bounced" };
  const data = type === "complaint" ? { email } : { email, kind: type };
  const body = JSON.stringify({ ...what, timestamp: created_at, data });
  const [message, sent] = [`listmonk-${id}`, Math.floor(Date.now() / 1000)];
  const signature = createHmac("sha256", secret).update(`${message}.${sent}.${body}`).digest("base64");
  const answer = await fetch(`${SHOP_URL}/service/newsletter/api/internal/newsletter-events`, {
    method: "POST",
    headers: { "webhook-id": message, "webhook-timestamp": sent, "webhook-signature": `v1,${signature}` },
    body,
    signal: AbortSignal.timeout(10_000),
  });
  if (!answer.ok) throw new Error(`the shop answers with ${answer.status}: ${await answer.text()}`);
}
