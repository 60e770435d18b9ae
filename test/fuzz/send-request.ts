import { Agent, type IncomingHttpHeaders, request } from "node:http";
import { text } from "node:stream/consumers";
import { second } from "../../client/rules/time.ts";

export interface Sent {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string | undefined;
  /** The address of this machine from which it is sent. On Linux, any of 127.0.0.0/8. */
  localAddress?: string;
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Headers of browsers, proxies and attackers. */
export const headerNames = `
  Accept Accept-Charset Accept-Encoding Accept-Language Authorization Cache-Control Pragma Client-IP CF-Connecting-IP
  CF-IPCountry CloudFront-Viewer-Country DNT Device-Memory DPR ECT Downlink Forwarded From If-Modified-Since
  Max-Forwards Origin Prefer Proxy Proxy-Authorization Purpose RTT Referer Save-Data Sec-CH-UA-Mobile Sec-CH-UA
  Sec-Fetch-Dest Sec-Fetch-Mode Sec-Fetch-Site Sec-GPC Sec-Purpose TE Traceparent True-Client-IP
  Upgrade-Insecure-Requests User-Agent Via Viewport-Width X-Api-Version X-Backend X-Client-IP X-Country X-Debug
  X-Device X-Forwarded-For X-Forwarded-Host X-Forwarded-Port X-Forwarded-Prefix X-Forwarded-Proto X-Forwarded-Scheme
  X-Forwarded-Server X-Forwarded-Ssl X-Forwarded-Path X-HTTP-Method-Override X-Host X-Hunter-Csrf X-Language
  X-Login-Token X-Mobile X-Original-Address X-Original-Host X-Original-URL X-Platform X-Preview X-Real-IP X-Request-Id
  X-Requested-With X-Rewrite-URL X-Scheme X-Site X-Theme X-UA-Device X-User X-Wap-Profile X-Locale X-Market
  X-Test-Group X-AB-Test Range
`
  .trim()
  .split(/\s+/);
/** The service's cookies, and some that it doesn't know. */
export const cookieNames = `
  affiliateNumber xc-app platform preview PreviewContext StaffAuthToken CobraAuthToken login LoginToken LongtermToken
  LoginRedirect NewsletterEmail NewsletterOrigin site locale lang country currency ab group test theme session
  __proto__ reduced newsletter assets device
`
  .trim()
  .split(/\s+/);
const agent = new Agent({ keepAlive: true });

/**
 * Sends a request exactly as given, including odd headers, and any number at once.
 * @returns undefined if the service has ended the connection without an answer
 * @throws Error if there is no answer within 15 s
 */
export function sendRequest(
  port: number,
  { method, path, headers, body, localAddress }: Sent,
): Promise<Answer | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer | undefined>();
  const length = body === undefined ? {} : { "Content-Length": String(Buffer.byteLength(body)) };
  const options = { host: "127.0.0.1", port, method, path, headers: { ...headers, ...length }, agent, localAddress };
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
