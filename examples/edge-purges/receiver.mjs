/** Purges CloudFront or Akamai as the service asks, by the vendor's own command. README.md lists the variables. */
import { execFile } from "node:child_process";
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";

const { PURGE_TOKEN, EDGE, CLOUDFRONT_DISTRIBUTION, PORT = 4002 } = process.env;
const secrets = PURGE_TOKEN.split(",").map((one) => Buffer.from(one.trim().replace("whsec_", ""), "base64"));
const run = promisify(execFile);

/** The commands by edge. A purge may be repeated: a message is sent again until the answer is 2xx. */
const commands = {
  cloudfront: (tags) => {
    const paths = tags.map((tag) => `#${tag}`);
    return [
      "aws",
      ["cloudfront", "create-invalidation", "--distribution-id", CLOUDFRONT_DISTRIBUTION, "--paths", ...paths],
    ];
  },
  // Akamai allows no colons, so the service has replaced them in Edge-Cache-Tag.
  akamai: (tags) => ["akamai", ["purge", "invalidate", "--tag", ...tags.map((tag) => tag.replaceAll(":", "."))]],
};

async function purge(tags) {
  const [program, words] = commands[EDGE](tags);
  // The service waits for five seconds.
  await run(program, words, { timeout: 4500 });
}

function isSigned({ headers }, body) {
  const [id, sent] = [headers["webhook-id"], headers["webhook-timestamp"]];
  const given = `${headers["webhook-signature"]}`.split(" ").map((one) => Buffer.from(one.slice(3), "base64"));
  const isOurs = secrets
    .map((secret) => createHmac("sha256", secret).update(`${id}.${sent}.${body}`).digest())
    .some((right) => given.some((one) => one.length === right.length && timingSafeEqual(one, right)));
  return isOurs && Math.abs(Date.now() / 1000 - sent) <= 300;
}

createServer(async (request, response) => {
  try {
    const body = await text(request);
    if (!isSigned(request, body)) return response.writeHead(401).end();
    const { type, data } = JSON.parse(body);
    // A later release may send other messages.
    if (type === "edge.purge") await purge(data.keys);
    response.writeHead(204).end();
  } catch (error) {
    console.error(error.message);
    response.writeHead(502).end();
  }
}).listen(PORT);
