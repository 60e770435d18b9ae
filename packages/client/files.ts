import { isFilePath } from "../../server/http/edge-routes.ts";
import { readBytes } from "./call-service.ts";
import { createLimitedMap } from "./limited-map.ts";

/** A stylesheet, script or picture that fragments load, as the answer to a browser's request. */
export interface FragmentFile {
  body: Uint8Array<ArrayBuffer>;
  headers: Record<string, string>;
}

/**
 * Returns the file for a browser's request. Never throws.
 * @param path - with its query
 * @param encodings - the request's `Accept-Encoding`
 * @returns undefined if fragments load nothing from there, or the service doesn't answer with a file
 */
export type ReadFile = (path: string, encodings?: string | string[] | null) => Promise<FragmentFile | undefined>;

interface KeptFile {
  plain: Uint8Array<ArrayBuffer>;
  /** The content for browsers that accept gzip, if it is smaller. */
  gzip: Uint8Array<ArrayBuffer> | undefined;
  bytes: number;
  headers: Record<string, string>;
}

/** The files of a release take about 0.5 MB. */
const limits = { values: 1000, bytes: 20_000_000 };

/** Headers of the service that describe its own connection or encoding. */
const ofConnection =
  /^(?:accept-ranges|connection|content-encoding|content-length|date|etag|keep-alive|last-modified|transfer-encoding|vary|x-request-id)$/;

/**
 * Keeps the files that fragments load. Their names or queries carry a hash of their content, so a copy never gets old.
 * @param fetchFile - fetches a path of the service
 */
export function createFiles(fetchFile: (path: string) => Promise<Response>) {
  const kept = createLimitedMap<KeptFile>(limits);
  const flights = new Map<string, Promise<KeptFile | undefined>>();
  return { read, keep };

  async function read(path: string, encodings?: string | string[] | null): Promise<FragmentFile | undefined> {
    if (!isFilePath(path)) return undefined;
    const file = await find(path);
    if (!file) return undefined;
    const { plain, gzip, headers } = file;
    if (!gzip || !/\bgzip\b/.test(String(encodings))) return answer(plain, headers);
    return answer(gzip, { ...headers, "content-encoding": "gzip" });
  }

  /** Fetches all files that a text names, and the files that those name in turn. */
  async function keep(text: string, folder = "/"): Promise<void> {
    const paths = [...text.matchAll(/="(\/[^"]+)"|\burl\(["']?([^"')]+)["']?\)/g)].map(
      ([, attribute, url = ""]) => attribute ?? new URL(url, `http://page${folder}`).pathname,
    );
    await Promise.all(paths.filter(isFilePath).map(find));
  }

  function find(path: string): Promise<KeptFile | undefined> | KeptFile | undefined {
    const file = kept.get(path);
    if (file) return file;
    const underWay = flights.get(path);
    if (underWay) return underWay;
    const flight = load(path).catch(() => undefined);
    flights.set(path, flight);
    flight.then(() => flights.delete(path));
    return flight;
  }

  async function load(path: string): Promise<KeptFile | undefined> {
    const response = await fetchFile(path);
    if (!response.ok) {
      await response.body?.cancel();
      return undefined;
    }
    const plain = await readBytes(response);
    const headers = Object.fromEntries([...response.headers].filter(([name]) => !ofConnection.test(name)));
    const isText = /text|javascript|json|svg/.test(headers["content-type"] ?? "");
    const zipped = isText ? await compress(plain) : undefined;
    const gzip = zipped && zipped.length < plain.length ? zipped : undefined;
    if (gzip) headers.vary = "Accept-Encoding";
    const file = { plain, gzip, bytes: plain.length + (gzip?.length ?? 0), headers };
    if (/\bimmutable\b/.test(headers["cache-control"] ?? "")) kept.set(path, file);
    if (headers["content-type"]?.startsWith("text/css")) keep(new TextDecoder().decode(plain), path);
    return file;
  }
}

function answer(body: Uint8Array<ArrayBuffer>, headers: Record<string, string>): FragmentFile {
  return { body, headers: { ...headers, "content-length": String(body.length) } };
}

async function compress(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
