import { atLeast, none, type Proof } from "../faults/proof.ts";
import { startReplica } from "../support/start-process.ts";
import { type Answer, cookieNames, headerNames, sendRequest } from "./send-request.ts";

/** Responses that a cache in front stores or may store. */
const addresses = `
  /fragments/footer /fragments/footer/DE /fragments/footer?site=TR&reduced=true /fragments/newsletter/CH_FR
  /fragments/head/PL /fragments/footer/AT/manifest.json /fragments/footer/HU/fallback
`
  .trim()
  .split(/\s+/);

const headerValues = ["at.localhost", "TR", "https", "1"];

const cookieValues = ["new", "smartphone"];

/** Headers that differ from answer to answer, but reveal nothing about the visitor. */
const ofOneAnswer = new Set(["date", "x-request-id", "server-timing", "cache-status", "connection", "keep-alive"]);

export const cacheInterference: Proof = {
  name: "headers and cookies at caches",
  does: "Asks for all that caches may store with one header or cookie more, one after the other. What comes back has the same bytes and headers, or nobody may store it.",
  async run() {
    const service = await startReplica({ DEMO: "on" });
    const all = [
      ...headerNames.flatMap((name) => headerValues.map((value) => ({ [name]: value }))),
      ...cookieNames.flatMap((name) => cookieValues.map((value) => ({ Cookie: `${name}=${value}` }))),
    ];

    const differing: string[] = [];
    for (const path of addresses) {
      const plain = await ask(service.port, path);
      for (const header of all) {
        const answer = await ask(service.port, path, header);
        if (!isNobodys(answer) && shared(answer) !== shared(plain)) differing.push(`${path} ${JSON.stringify(header)}`);
      }
    }
    await service.kill();
    return [atLeast("headers and cookies", all.length, 350), none("answers that differ", differing)];
  },
};

async function ask(port: number, path: string, header: Record<string, string> = {}): Promise<Answer> {
  const answer = await sendRequest(port, { method: "GET", path, headers: { Host: "de.localhost", ...header } });
  if (!answer) throw new Error(`no answer to ${path} with ${JSON.stringify(header)}`);
  return answer;
}

/** Whether no cache may store it. An error reveals nothing about its caller, and isn't stored either. */
function isNobodys({ status, headers }: Answer): boolean {
  const stored = headers["cache-control"] ?? "";
  return status === 200 ? stored === "private, no-store" : stored.includes("no-store");
}

/** What a cache keeps of an answer. */
function shared({ status, headers, body }: Answer): string {
  const kept = Object.entries(headers).filter(([name]) => !ofOneAnswer.has(name));
  return JSON.stringify([status, kept.toSorted(), body]);
}
