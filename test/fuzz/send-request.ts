import { Agent, type IncomingHttpHeaders, request } from "node:http";
import { text } from "node:stream/consumers";
import { second } from "../../client/rules/time.ts";

export interface Sent {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string | undefined;
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

const agent = new Agent({ keepAlive: true });

/**
 * Sends a request as it is, odd headers and all, and as many at once as wanted.
 * @returns undefined when the service has ended the connection without an answer
 * @throws Error when there is no answer within 15 s
 */
export function sendRequest(port: number, { method, path, headers, body }: Sent): Promise<Answer | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer | undefined>();
  const length = body === undefined ? {} : { "Content-Length": String(Buffer.byteLength(body)) };
  const options = { host: "127.0.0.1", port, method, path, headers: { ...headers, ...length }, agent };
  const call = request(options, (response) => {
    const { statusCode: status = 0, headers: answered } = response;
    text(response).then(
      (answer) => resolve({ status, headers: answered, body: answer }),
      () => resolve(undefined),
    );
  });
  call.setTimeout(15 * second, () => reject(new Error(`no answer to ${method} ${path}`)));
  call.once("error", () => resolve(undefined));
  call.end(body);
  return promise;
}
