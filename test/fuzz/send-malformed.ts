import { connect } from "node:net";
import { second } from "../../client/rules/time.ts";
import { atLeast, none, type Proof } from "../faults/proof.ts";
import { startReplica } from "../faults/start-replica.ts";
import { malformedRequests } from "./malformed-corpus.ts";

const atOnce = 30;
/** How long a connection that stays open may still bring a second answer. */
const silence = second / 4;

export const sendMalformed: Proof = {
  name: "malformed requests",
  does: "Writes requests to raw sockets that HTTP/1.1 doesn't allow, or that programs read in different ways.",
  async run({ seed }) {
    const service = await startReplica();
    const corpus = malformedRequests(seed);
    const accepted: string[] = [];
    const doubled: string[] = [];
    const queue = corpus.values();
    const work = async () => {
      for (const request of queue) {
        const statuses = await answersTo(service.port, request);
        const line = `${statuses} to ${JSON.stringify(request.slice(0, 200))}`;
        if (statuses.some((status) => status < 400)) accepted.push(line);
        if (statuses.length > 1) doubled.push(line);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    const isReady = await service.isReady();
    await service.kill();
    return [
      atLeast("requests", corpus.length, 300),
      none("accepted", accepted),
      none("with a second answer", doubled),
      none("services that aren't ready afterwards", isReady ? [] : ["it"]),
    ];
  },
};

/** The statuses of all that comes back until the connection ends or falls silent. */
function answersTo(port: number, request: string): Promise<number[]> {
  const { promise, resolve } = Promise.withResolvers<number[]>();
  let answer = "";
  const socket = connect(port, "127.0.0.1", () => socket.write(request, "latin1"));
  socket.setEncoding("latin1").setTimeout(second);
  socket.on("data", (bytes) => {
    answer += bytes;
    socket.setTimeout(silence);
  });
  socket.on("timeout", () => socket.destroy());
  socket.on("error", () => undefined);
  socket.on("close", () => resolve([...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))));
  return promise;
}
