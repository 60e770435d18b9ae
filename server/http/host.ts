import type { RequestListener } from "node:http";

/**
 * Reads the name of the host from the value of a Host header.
 * @returns the name in lower case, without the port; undefined when the value is none that HTTP allows
 */
export function hostNameOf(value: string): string | undefined {
  return /^[\w.:[\]~-]+$/.test(value) ? URL.parse(`http://${value}`)?.hostname : undefined;
}

/**
 * Lets a listener answer only what names at most one host: https://www.rfc-editor.org/rfc/rfc9112#section-3.2. Caches
 * and this service could take two hosts for different ones. HTTP/1.0 may name none, and Node refuses HTTP/1.1 without.
 */
export function refuseBadHosts(listener: RequestListener): RequestListener {
  return (request, response) => {
    const [host, second] = request.headersDistinct.host ?? [];
    const isBad = second !== undefined || (host !== undefined && hostNameOf(host) === undefined);
    if (isBad) response.writeHead(400, { Connection: "close" }).end();
    else listener(request, response);
  };
}
