/** Updates Brevo's contacts by the newsletter's events. README.md lists the variables. */
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";

const { BREVO_URL = "https://api.brevo.com/v3", BREVO_API_KEY, BREVO_LISTS, NEWSLETTER_WEBHOOK_SECRET } = process.env;
const lists = JSON.parse(BREVO_LISTS);
const secret = Buffer.from(NEWSLETTER_WEBHOOK_SECRET.replace("whsec_", ""), "base64");

// Every action may be repeated: an event is sent again until the answer is 2xx.
const actions = {
  // The subscriber has confirmed in the shop, so this call doesn't make Brevo ask again. It lifts an earlier block.
  "subscription.confirmed": (data) => call("POST", "/contacts", { ...contactOf(data), emailBlacklisted: false }),
  "subscription.changed": (data) => call("POST", "/contacts", contactOf(data)),
  "subscription.unsubscribed": ({ email, site }) =>
    call("PUT", `/contacts/${encodeURIComponent(email)}?identifierType=email_id`, {
      unlinkListIds: [listOf(site)],
      attributes: { [`VOUCHER_${site}`]: "", [`TOKEN_${site}`]: "" },
    }),
  // A contact has the id of its latest event. An erasure sends every id of the address.
  "subscription.erased": ({ id }) => call("DELETE", `/contacts/${id}?identifierType=ext_id`),
};

/** Token and voucher are stored per site, because an address may have subscribed to several sites. */
function contactOf({ id, site, email, firstName, lastName, locale, voucher, token }) {
  const name = { FIRSTNAME: firstName ?? "", LASTNAME: lastName ?? "" };
  const own = { [`VOUCHER_${site}`]: voucher?.code ?? "", [`TOKEN_${site}`]: token };
  const attributes = { ...name, LOCALE: locale ?? "", ...own };
  return { email, ext_id: id, attributes, listIds: [listOf(site)], updateEnabled: true };
}

function listOf(site) {
  if (lists[site] === undefined) throw new Error(`BREVO_LISTS has no list for ${site}`);
  return lists[site];
}

/** A contact that doesn't exist needs no change and no deletion. */
async function call(method, path, body) {
  const headers = { "api-key": BREVO_API_KEY, "content-type": "application/json" };
  const signal = AbortSignal.timeout(10_000);
  const answer = await fetch(BREVO_URL + path, { method, headers, body: JSON.stringify(body), signal });
  if (answer.ok || (answer.status === 404 && method !== "POST")) return;
  throw new Error(`Brevo answers ${method} with ${answer.status} ${(await answer.json()).code}`);
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
}).listen(process.env.PORT ?? 4000);
