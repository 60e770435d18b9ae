import { randomUUID } from "node:crypto";
import { type Span, SpanKind } from "@opentelemetry/api";
import type { Request, RequestHandler, Response } from "express";
import { type Milliseconds, second } from "../../client/rules/time.ts";
import { failures } from "../platform/errors.ts";
import type { Logger } from "../platform/logger.ts";
import type { Metrics } from "../platform/metrics.ts";
import {
  extractTrace,
  failSpan,
  requestContext,
  requestIdHeader,
  startSpan,
  traceIdOf,
} from "../platform/request-context.ts";

/** Methods with a metric series of their own. All others count as `_OTHER`: clients must not be able to add series. */
const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/**
 * Logs and measures every response, and runs the request in its trace. The log names the route's template instead of the
 * URL, and nothing of the visitor. The request id is taken from the edge if it is well-formed, and sent back.
 */
export function requestLog(logger: Logger, metrics: Metrics): RequestHandler {
  return (request, response, next) => {
    const startedAt = performance.now();
    const bytesBefore = request.socket.bytesWritten;
    const requestId = requestIdOf(request);
    const caller = extractTrace(request.headers);
    const { span, context } = startSpan("request", { kind: SpanKind.SERVER }, caller);
    response.setHeader(requestIdHeader, requestId);
    response.once("close", () => {
      const duration: Milliseconds = performance.now() - startedAt;
      const { fragment, site, cache, fragmentState, reason } = response.locals;
      const status = response.writableFinished ? response.statusCode : failures.clientGone.status;
      const method = methods.has(request.method) ? request.method : "_OTHER";
      const matched: string | undefined = request.route?.path.toString() ?? response.locals.route;
      // Clients must not be able to add series by paths that no route has.
      const route = matched ?? "unmatched";
      metrics.requests.observe(
        { http_request_method: method, http_route: route, http_response_status_code: status },
        duration / second,
      );
      if (span.isRecording()) endRequestSpan(span, method, matched, status, response);
      const line = {
        requestId,
        traceId: traceIdOf(context),
        method: request.method,
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
        // Only the log for people shows the address.
        req: request,
      };
      // What is unavailable has a line of its own, which doesn't repeat with each request of a flood.
      if (status >= 500 && status !== failures.unavailable.status) logger.error(line, "request");
      else logger.info(line, "request");
    });
    requestContext.run({ requestId, trace: context }, next);
  };
}

function requestIdOf(request: Request): string {
  const given = request.get(requestIdHeader);
  return given !== undefined && /^[\w.:-]{1,64}$/.test(given) ? given : randomUUID();
}

/** Ends the span of a request. Its attributes name no URL, which may hold a token, and nothing else of the visitor. */
function endRequestSpan(span: Span, method: string, route: string | undefined, status: number, { locals }: Response) {
  const { site, cache, fragmentState } = locals;
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

/** Names the route in logs and metrics where Express has none, such as for a folder of files. */
export function nameRoute(name: string): RequestHandler {
  return (_request, response, next) => {
    response.locals.route = name;
    next();
  };
}
