import type { CDPSession, Page } from "playwright";

/** What a page gets instead of the service's answer. */
export interface Answer {
  /** Default: 200. */
  status?: number;
  headers?: Record<string, string>;
  /** Default: an empty one. */
  body?: string;
  /** In place of a body. */
  json?: unknown;
}

/** A request that waits for what a test does with it. */
export interface PausedRequest {
  method: string;
  url: string;
  /** By their names in lower case, without cookies. */
  headers: Readonly<Record<string, string>>;
  body: string;
  isNavigation: boolean;
  /** Reads the body as JSON. */
  json(): unknown;
  fulfill(answer: Answer): Promise<void>;
  continue(): Promise<void>;
  /** The page gets no answer. Playwright reports the failure unless the request counts as `aborted`. */
  abort(reason?: "failed" | "aborted"): Promise<void>;
}

/** Fulfills, continues or aborts a request. */
export type AnswerRequest = (request: PausedRequest) => Promise<void> | void;

interface Interception {
  session: CDPSession;
  /** By their patterns, the last one first. */
  answers: [pattern: string, answer: AnswerRequest][];
}

const interceptions = new WeakMap<Page, Promise<Interception>>();

/**
 * Answers requests of a page instead of the service. Playwright's own `route` pauses every request and disables the
 * browser's cache, so a page would take three times as long to load.
 * @param pattern - of URLs without their queries; `*` stands for any characters
 * @param answer - what the test does with such a request; a later answer for the same request comes first
 */
export async function answerRequests(page: Page, pattern: string, answer: AnswerRequest): Promise<void> {
  const opening = interceptions.get(page) ?? open(page);
  interceptions.set(page, opening);
  const { session, answers } = await opening;
  answers.unshift([pattern, answer]);
  await session.send("Fetch.enable", { patterns: answers.flatMap(([pattern]) => withQuery(pattern)) });
}

/** Leaves the requests of a page to the service again, also those that wait. */
export async function answerNoRequests(page: Page): Promise<void> {
  const opening = interceptions.get(page);
  interceptions.delete(page);
  await (await opening)?.session.detach();
}

async function open(page: Page): Promise<Interception> {
  const session = await page.context().newCDPSession(page);
  const answers: Interception["answers"] = [];
  session.on("Fetch.requestPaused", async ({ requestId, request, resourceType }) => {
    const { method, url, headers, postData = "" } = request;
    const found = answers.find(([pattern]) => matches(url, pattern));
    const paused: PausedRequest = {
      method,
      url,
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
      body: postData,
      isNavigation: resourceType === "Document",
      json: () => JSON.parse(postData),
      fulfill: (given) => ignoreEnd(session.send("Fetch.fulfillRequest", { requestId, ...toResponse(given) })),
      continue: () => ignoreEnd(session.send("Fetch.continueRequest", { requestId })),
      abort: (reason = "failed") =>
        ignoreEnd(
          session.send("Fetch.failRequest", { requestId, errorReason: reason === "failed" ? "Failed" : "Aborted" }),
        ),
    };
    await (found ? found[1](paused) : paused.continue());
  });
  return { session, answers };
}

/** The page may have ended the request, or been closed. */
async function ignoreEnd(sent: Promise<unknown>): Promise<void> {
  await sent.catch(() => undefined);
}

/** In the protocol, `?` stands for any character. */
function withQuery(pattern: string) {
  return [{ urlPattern: pattern }, { urlPattern: String.raw`${pattern}\?*` }];
}

function matches(url: string, pattern: string): boolean {
  const [address = ""] = url.split("?");
  return new RegExp(`^${pattern.replaceAll(".", String.raw`\.`).replaceAll("*", ".*")}$`).test(address);
}

function toResponse({ status = 200, headers = {}, body = "", json }: Answer) {
  const type = json === undefined ? {} : { "Content-Type": "application/json" };
  const content = json === undefined ? body : JSON.stringify(json);
  return {
    responseCode: status,
    responseHeaders: Object.entries({ ...type, ...headers }).map(([name, value]) => ({ name, value })),
    body: Buffer.from(content).toString("base64"),
  };
}
