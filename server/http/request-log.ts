import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type Span, SpanKind } from "@opentelemetry/api";
import type { RequestHandler } from "express";
import { type Milliseconds, second } from "../../client/rules/time.ts";
import { failures } from "../platform/errors.ts";
import type { Logger } from "../platform/logger.ts";
import type { Metrics } from "../platform/metrics.ts";
import {
  extractTrace,
  failSpan,
  type RequestContext,
  requestContext,
  requestIdHeader,
  startSpan,
  traceIdOf,
} from "../platform/request-context.ts";

/**
 * Methods with their own metric series. All others count as `_OTHER`, because clients must not be able to add series
 * (https://opentelemetry.io/docs/specs/semconv/http/http-metrics/).
 */
const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

const requestIdKey = requestIdHeader.toLowerCase();

/** The facts about a response, besides its status, for its log line, span and metrics. */
export interface ResponseFacts {
  /** The template of the route; undefined for a path without a route. */
  route?: string | undefined;
  fragment?: string;
  site?: string;
  cache?: string;
  fragmentState?: string;
  reason?: string;
}

interface Records {
  logger: Logger;
  metrics: Metrics;
}

/** Logs and measures every request, and runs it in its trace. Sends the request id back. */
export function requestLog(records: Records): RequestHandler {
  return (request, response, next) => {
    const facts = () => ({ ...response.locals, route: request.route?.path.toString() ?? response.locals.route });
    const context = recordRequest(request, response, facts, records);
    response.setHeader(requestIdHeader, context.requestId);
    requestContext.run(context, next);
  };
}

/**
 * Logs, traces and measures a response once it has ended. The log has the route's template instead of the URL, and no
 * data about the visitor. Every request passes this, cached footers included. So facts are collected only at the end,
 * and the line is one flat object.
 * @param factsOf - returns the facts about the response when it has ended
 * @returns the request's id, which is the edge's if that is well-formed, and its trace
 * (https://www.w3.org/TR/trace-context/#traceparent-header)
 */
export function recordRequest(
  request: IncomingMessage,
  response: ServerResponse,
  factsOf: () => ResponseFacts,
  { logger, metrics }: Records,
): RequestContext {
  const startedAt = performance.now();
  const bytesBefore = request.socket.bytesWritten;
  const requestId = requestIdOf(request);
  const caller = extractTrace(request.headers);
  const { span, context } = startSpan("request", { kind: SpanKind.SERVER }, caller);
  response.once("close", () => {
    const duration: Milliseconds = performance.now() - startedAt;
    const facts = factsOf();
    const { fragment, site, cache, fragmentState, reason } = facts;
    const status = response.writableFinished ? response.statusCode : failures.clientGone.status;
    const { method = "" } = request;
    const known = methods.has(method) ? method : "_OTHER";
    // Clients must not be able to add series by paths without a route.
    const route = facts.route ?? "unmatched";
    metrics.requests.observe(
      { http_request_method: known, http_route: route, http_response_status_code: status },
      duration / second,
    );
    if (span.isRecording()) endRequestSpan(span, known, status, facts);
    const line = {
      requestId,
      traceId: traceIdOf(context),
      method,
      route,
      status,
      aborted: response.writableFinished ? undefined : true,
      durationMs: Math.round(duration * 10) / 10,
      bytes: request.socket.bytesWritten - bytesBefore,
      fragment,
      site,
      cache,
      fragmentState,
      reason,
      // Only the log for people shows its URL.
      req: request,
    };
    // The cause of a 503 is logged in a line of its own, which isn't repeated with each request of a flood.
    if (status >= 500 && status !== failures.unavailable.status) logger.error(line, "request");
    else logger.info(line, "request");
  });
  return { requestId, trace: context };
}

function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers[requestIdKey];
  return typeof given === "string" && /^[\w.:-]{1,64}$/.test(given) ? given : randomUUID();
}

/**
 * Ends the span of a request. Its attributes contain no URL, which may contain a token, and no other data about the
 * visitor.
 */
function endRequestSpan(span: Span, method: string, status: number, facts: ResponseFacts) {
  const { route, site, cache, fragmentState } = facts;
  span.updateName(route === undefined ? method : `${method} ${route}`);
  span.setAttributes({ "http.request.method": method, "http.response.status_code": status });
  if (route !== undefined) span.setAttribute("http.route", route);
  if (site !== undefined)
    span.setAttributes({
      "storefront.site": site,
      "storefront.cache": cache,
      "storefront.fragment_state": fragmentState,
    });
  if (status >= 500) failSpan(span, String(status));
  span.end();
}

/** Names the route for logs and metrics if Express has none, such as for a folder of files. */
export function nameRoute(name: string): RequestHandler {
  return (_request, response, next) => {
    response.locals.route = name;
    next();
  };
}
