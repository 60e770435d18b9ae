/** Updates listmonk's subscribers by the newsletter's events. README.md lists the variables. */
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";

const { LISTMONK_URL, LISTMONK_TOKEN, LISTMONK_LISTS, NEWSLETTER_WEBHOOK_SECRET, PORT = 4000 } = process.env;
const lists = JSON.parse(LISTMONK_LISTS);
const secret = Buffer.from(NEWSLETTER_WEBHOOK_SECRET.replace("whsec_", ""), "base64");

// Every action may be repeated: an event is sent again until the answer is 2xx.
const actions = {
  "subscription.confirmed": subscribe,
  "subscription.changed": subscribe,
  "subscription.unsubscribed": unsubscribe,
  "subscription.erased": erase,
};

/** Stores the data per site, because an address may have subscribed to several sites. */
async function subscribe({ email, ...data }) {
  const name = [data.firstName, data.lastName].filter(Boolean).join(" ") || undefined;
  const stored = { name, attribs: { [data.site]: data } };
  const known = await find(`subscribers.email = ${quote(email.toLowerCase())}`);
  // The subscriber has confirmed in the shop, so listmonk doesn't ask again.
  const added = { email, ...stored, status: "enabled", lists: [listOf(data.site)], preconfirm_subscriptions: true };
  if (!known) return call("POST", "/api/subscribers", added);
  await call("PATCH", `/api/subscribers/${known.id}`, stored);
  await changeList(known, data.site, { action: "add", status: "confirmed" });
}

/** Keeps only the id, by which an erasure finds the subscriber. */
async function unsubscribe({ id, site }) {
  const known = await findById(id, site);
  if (!known) return;
  await changeList(known, site, { action: "unsubscribe" });
  await call("PATCH", `/api/subscribers/${known.id}`, { attribs: { [site]: { id } } });
}

async function erase({ id, site }) {
  const known = await findById(id, site);
  if (known) await call("DELETE", `/api/subscribers/${known.id}`);
}

function changeList({ id }, site, change) {
  return call("PUT", "/api/subscribers/lists", { ids: [id], target_list_ids: [listOf(site)], ...change });
}

function listOf(site) {
  if (lists[site] === undefined) throw new Error(`LISTMONK_LISTS has no list for ${site}`);
  return lists[site];
}

const quote = (value) => `'${value.replaceAll("'", "''")}'`;
const findById = (id, site) => find(`subscribers.attribs->${quote(site)}->>'id' = ${quote(id)}`);

async function find(query) {
  const { results } = await call("GET", `/api/subscribers?${new URLSearchParams({ query })}`);
  return results[0];
}

async function call(method, path, body) {
  const headers = { authorization: `token ${LISTMONK_TOKEN}`, "content-type": "application/json" };
  const signal = AbortSignal.timeout(5000);
  const answer = await fetch(LISTMONK_URL + path, { method, headers, body: JSON.stringify(body), signal });
  if (!answer.ok) throw new Error(`listmonk answers ${method} ${path.split("?")[0]} with ${answer.status}`);
  return (await answer.json()).data;
}

function isSigned({ headers }, body) {
  const [id, sent] = [headers["webhook-id"], headers["webhook-timestamp"]];
  const right = createHmac("sha256", secret).update(`${id}.${sent}.${body}`).digest();
  const given = `${headers["webhook-signature"]}`.split(" ").map((one) => Buffer.from(one.slice(3), "base64"));
  const isOurs = given.some((one) => one.length === right.length && timingSafeEqual(one, right));
  return isOurs && Math.abs(Date.now() / 1000 - sent) <= 300;
}

createServer(async (request, response) => {
  try {
    const body = await text(request);
    if (!isSigned(request, body)) return response.writeHead(401).end();
    const { type, data } = JSON.parse(body);
    await actions[type]?.(data);
    response.writeHead(204).end();
  } catch (error) {
    console.error(error.message);
    response.writeHead(502).end();
  }
}).listen(PORT);
