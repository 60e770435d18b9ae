/** Reports Brevo's bounces and complaints to the shop. README.md lists the variables. */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";

const { BREVO_WEBHOOK_TOKEN, NEWSLETTER_EVENTS_SECRET, SHOP_URL, PORT = 4001 } = process.env;
const secret = Buffer.from(NEWSLETTER_EVENTS_SECRET.replace("whsec_", ""), "base64");
const hash = (value) => createHash("sha256").update(value).digest();

/** The shop's report for each of Brevo's events. */
const reports = {
  hard_bounce: (email) => ({ type: "subscription.bounced", data: { email, kind: "hard" } }),
  soft_bounce: (email) => ({ type: "subscription.bounced", data: { email, kind: "soft" } }),
  spam: (email) => ({ type: "subscription.complained", data: { email } }),
};

async function report({ event, email, ts_event }, id) {
  const what = reports[event]?.(email);
  if (!what) return;
  const body = JSON.stringify({ ...what, timestamp: new Date(ts_event * 1000).toISOString() });
  const sent = Math.floor(Date.now() / 1000);
  const signature = createHmac("sha256", secret).update(`${id}.${sent}.${body}`).digest("base64");
  const answer = await fetch(`${SHOP_URL}/service/newsletter/api/internal/newsletter-events`, {
    method: "POST",
    headers: { "webhook-id": id, "webhook-timestamp": sent, "webhook-signature": `v1,${signature}` },
    body,
    signal: AbortSignal.timeout(10_000),
  });
  if (!answer.ok) throw new Error(`the shop answers with ${answer.status}: ${await answer.text()}`);
}

createServer(async (request, response) => {
  const isBrevo = timingSafeEqual(hash(request.headers.authorization ?? ""), hash(`Bearer ${BREVO_WEBHOOK_TOKEN}`));
  if (!isBrevo) return response.writeHead(401).end();
  try {
    const body = await text(request);
    // Brevo sends no message id. The same event has the same body each time.
    await report(JSON.parse(body), `brevo-${hash(body).toString("hex")}`);
    response.writeHead(204).end();
  } catch (error) {
    console.error(error.message);
    response.writeHead(502).end();
  }
}).listen(PORT);
