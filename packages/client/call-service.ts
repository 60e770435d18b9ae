/** The largest answer that is read, in bytes. A footer has about 60,000. */
const maxAnswer = 2_000_000;

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/**
 * Returns the origin of the service.
 * @throws TypeError naming the option if it is missing or invalid
 */
export function originOf(service: unknown): string {
  const address = String(service);
  if (!/^https?:/i.test(address) || !URL.canParse(address))
    throw new TypeError("createFragments: `service` must be the service's address, such as http://fragments:3000");
  return new URL(address).origin;
}

/**
 * Calls the service. Follows one redirect to the same host, because edges redirect from http to https. Any other host
 * would get the cookies of staff, and could put its markup into the page.
 * @throws Error with the reason if the service redirects elsewhere
 */
export async function askService(fetch: Fetch, url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, { ...init, redirect: "manual" });
  if (!isRedirect(response)) return response;
  await response.body?.cancel();
  const target = targetOf(response, url);
  if (!target || !isSameHost(new URL(url), target)) throw isRefused(response, target);
  const followed = await fetch(target.href, { ...init, redirect: "manual" });
  if (!isRedirect(followed)) return followed;
  await followed.body?.cancel();
  throw isRefused(followed, targetOf(followed, target.href));
}

/** Browsers hide the status and the target of a redirect that they don't follow. */
function isRedirect({ status, type }: Response): boolean {
  return type === "opaqueredirect" || (status >= 300 && status < 400 && status !== 304);
}

function targetOf({ headers }: Response, from: string): URL | undefined {
  const location = headers.get("location") ?? "";
  return URL.canParse(location, from) ? new URL(location, from) : undefined;
}

function isSameHost(from: URL, to: URL): boolean {
  return to.host === from.host && (to.protocol === from.protocol || to.protocol === "https:");
}

function isRefused({ status }: Response, target: URL | undefined): Error {
  const place = target ? target.origin : "another address";
  return new Error(`${status}: a redirect to ${place}, which isn't followed: does \`service\` name the right origin?`);
}

/**
 * Reads the content of an answer.
 * @throws Error if it is larger than any answer of the service
 */
export async function readBytes(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  if (!response.body) return new Uint8Array(await response.arrayBuffer());
  const reader = response.body.getReader();
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    pieces.push(read.value);
    bytes += read.value.byteLength;
    if (bytes > maxAnswer) {
      await reader.cancel();
      throw new Error(`the answer is larger than ${maxAnswer} bytes`);
    }
  }
  const all = new Uint8Array(bytes);
  let end = 0;
  for (const piece of pieces) {
    all.set(piece, end);
    end += piece.byteLength;
  }
  return all;
}

/** Describes why a call has failed. */
export function reasonOf(error: unknown, deadline: number): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return `no answer within ${deadline} ms`;
  const { cause } = error;
  const code = cause instanceof Error ? ("code" in cause ? cause.code : cause.message) : undefined;
  return [error.message, code].filter(Boolean).join(": ");
}
