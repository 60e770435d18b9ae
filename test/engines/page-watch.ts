import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";

export interface PageWatch {
  /** Stands before a service. */
  watch(service: RequestListener): RequestListener;
  /** The requests since the last call: method and path. */
  takeRequests(): string[];
  /** Whether no request is under way. */
  isIdle(): boolean;
  /** Returns everything that has gone wrong since the last call, one line each. */
  takeFaults(): string[];
}

const script = "/watch-page.js";
const report = "/watch-page/faults";

/**
 * Creates a watch that makes each page of a service report what goes wrong in it, because not every driver can. An
 * answer with an error is a fault, too.
 */
export function createPageWatch(): PageWatch {
  const requests: string[] = [];
  const faults: string[] = [];
  let underWay = 0;

  async function answer(service: RequestListener, request: IncomingMessage, response: ServerResponse) {
    if (request.url === script) {
      response.setHeader("Content-Type", "text/javascript").end(`(${reportFaults})(${JSON.stringify(report)})`);
    } else if (request.url === report) {
      faults.push(await text(request));
      response.writeHead(204).end();
    } else {
      const line = `${request.method} ${request.url?.split("?")[0]}`;
      requests.push(line);
      underWay++;
      response.on("close", () => {
        underWay--;
      });
      response.on("finish", () => {
        if (response.statusCode >= 400) faults.push(`${response.statusCode}: ${line}`);
      });
      insertIntoHead(response, `<script src="${script}"></script>`);
      delete request.headers["accept-encoding"];
      service(request, response);
    }
  }

  return {
    watch: (service) => (request, response) => void answer(service, request, response),
    takeRequests: () => requests.splice(0),
    isIdle: () => underWay === 0,
    takeFaults: () => faults.splice(0),
  };
}

function insertIntoHead(response: ServerResponse, tag: string) {
  for (const method of ["write", "end"] as const) {
    const send = response[method].bind(response);
    response[method] = (chunk: unknown, ...rest: unknown[]) => {
      const isStart = !response.headersSent && String(response.getHeader("Content-Type")).startsWith("text/html");
      if (!isStart) return Reflect.apply(send, response, [chunk, ...rest]);
      response.removeHeader("Content-Length");
      return Reflect.apply(send, response, [String(chunk).replace("<head>", `$&${tag}`), ...rest]);
    };
  }
}

/** Runs in the page, before its own scripts. Sends a report before the page continues, so that none is late. */
function reportFaults(address: string) {
  function send(fault: string) {
    const call = new XMLHttpRequest();
    call.open("POST", address, false);
    call.send(`${fault} (${location.pathname})`);
  }
  window.addEventListener("error", ({ message }) => send(`uncaught: ${message}`));
  window.addEventListener("unhandledrejection", ({ reason }) => send(`rejected: ${reason}`));
  document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) =>
    send(`policy: ${effectiveDirective} ${blockedURI}`),
  );
  for (const level of ["error", "warn"] as const) {
    console[level] = (...words) => send(`console ${level}: ${words.join(" ")}`);
  }
}
