import type { IncomingMessage, RequestListener } from "node:http";

const promotion = {
  headline: "Coffee weeks",
  text: "A tenth off every coffee.",
  link: { url: "/category/coffee", text: "Discover" },
};
const cookies = ["LoginToken=x; Path=/", "login=y; Path=/; HttpOnly"];

interface Right {
  status?: number;
  body: unknown;
  cookies?: string[];
}

/** What a real service answers to its calls, in the order in which they are looked for. */
const answers: [call: RegExp, answer: Right][] = [
  [/^POST .*\/newsletter-subscribers$/, { status: 202, body: { status: "ACCEPTED" } }],
  [/^PUT .*\/newsletter-subscribers\/[^/]+\/doi$/, { body: { status: "SUBSCRIBED" } }],
  [/^GET .*\/newsletter-subscribers\/[^/]+$/, { body: { status: "SUBSCRIBED", site: "DE", consents: [] } }],
  [/^GET .*\/base-data$/, { body: { email: "ada@shop.example", firstName: "Ada" } }],
  [/^GET .*\/newsletter-status$/, { body: { status: "NONE" } }],
  [/^POST .*\/api\/v1\/login$/, { body: {}, cookies }],
  [/^POST .*\/auth\/login$/, { body: { status: "SUCCESS" }, cookies: ["preview=true; Path=/"] }],
  [/^GET .*\/auth\/checkauth$/, { body: { status: "UNAUTHORIZED" }, status: 401 }],
  [/^POST \/service\/preview\//, { body: { status: "SUCCESS" } }],
  [/^GET .*\/SHOP_FOOTER$/, { body: { contentJSON: JSON.stringify(promotion) } }],
  [/^GET .*\/gettestsat$/, { body: [{ name: "colours", groups: [{ name: "A" }] }] }],
];

/** Answers every call as a working real service does; unknown calls with an empty object. */
export const answerRightly: RequestListener = (request, response) => {
  const { status, headers, body } = rightAnswerTo(request);
  response.writeHead(status, headers).end(body);
};

/** What `answerRightly` answers to a call. */
function rightAnswerTo({ method, url = "" }: IncomingMessage) {
  const call = `${method} ${url.split("?", 1)[0]}`;
  const right: Right = answers.find(([pattern]) => pattern.test(call))?.[1] ?? { body: {} };
  const { status = 200, body, cookies = [] } = right;
  const headers = { "Content-Type": "application/json", ...(cookies.length > 0 && { "Set-Cookie": cookies }) };
  return { status, headers, body: JSON.stringify(body) };
}
