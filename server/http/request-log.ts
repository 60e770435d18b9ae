import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Request, RequestHandler, Response } from "express";
import { pinoHttp } from "pino-http";
import type { Milliseconds } from "../../client/rules/time.ts";
import type { Logger } from "../logger.ts";
import type { Metrics } from "../metrics.ts";

/**
 * Methods that the metrics tell apart; every other one counts as `_OTHER`, so that nobody can invent series
 * (test/server/metrics.test.ts).
 */
const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Counts for the status of an answer whose client went before its end, whatever the answer would have been. */
const clientGone = 499;

const requestIdHeader = "X-Request-Id";

/**
 * Logs and measures every answer. A line of the log names the template of the route instead of the address, and says
 * nothing of the visitor. The request id is the edge's where it sends a proper one, and goes back with the answer.
 */
export function requestLog(logger: Logger, metrics: Metrics): RequestHandler {
  const log = pinoHttp<Request, Response>({
    logger,
    genReqId: takeRequestId,
    quietReqLogger: true,
    customAttributeKeys: { reqId: "requestId" },
    serializers: { req: () => undefined, res: () => undefined },
    customLogLevel: (_request, response) => (statusOf(response) >= 500 ? "error" : "info"),
    customSuccessMessage: () => "request",
    customErrorMessage: () => "request",
    customSuccessObject: (request, response, { responseTime }) => logFields(request, response, responseTime),
    customErrorObject: (request, response, _error, { responseTime }) => logFields(request, response, responseTime),
  });
  return (request, response, next) => {
    const end = metrics.requests.startTimer();
    response.locals.bytesBefore = request.socket.bytesWritten;
    response.once("close", () => {
      const method = methods.has(request.method) ? request.method : "_OTHER";
      end({ method, route: routeOf(request, response), status: statusOf(response) });
    });
    log(request, response, next);
  };
}

function takeRequestId(request: IncomingMessage, response: ServerResponse): string {
  const given = request.headers[requestIdHeader.toLowerCase()];
  const id = typeof given === "string" && /^[\w.:-]{1,64}$/.test(given) ? given : randomUUID();
  response.setHeader(requestIdHeader, id);
  return id;
}

function logFields(request: Request, response: Response, duration: Milliseconds) {
  const { bytesBefore, site, cache, fragmentState } = response.locals;
  return {
    method: request.method,
    route: routeOf(request, response),
    status: statusOf(response),
    aborted: response.writableFinished ? undefined : true,
    durationMs: Math.round(duration * 10) / 10,
    bytes: request.socket.bytesWritten - bytesBefore,
    site,
    cache,
    fragmentState,
  };
}

function statusOf(response: Response): number {
  return response.writableFinished ? response.statusCode : clientGone;
}

/**
 * Gives the template of the matched route. Unmatched paths share one name, so that nobody can invent series
 * (test/server/metrics.test.ts).
 */
function routeOf(request: Request, response: Response): string {
  return request.route?.path ?? response.locals.route ?? "unmatched";
}

/** Names the route, for the log and the metrics, of what is no route to Express, such as a folder of files. */
export function nameRoute(name: string): RequestHandler {
  return (_request, response, next) => {
    response.locals.route = name;
    next();
  };
}
