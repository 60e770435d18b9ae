import type { Response } from "express";
import type { Span } from "../tracing/tracer.ts";

/** How a request was answered, in words of which there are few. */
interface Outcome {
  method: string;
  /** Template of the route; undefined where no route has taken the request. */
  route: string | undefined;
  status: number;
}

/** Ends the span of an answer. It names no address, which may hold a token, and nothing else of a visitor. */
export function endAnswerSpan(span: Span, { method, route, status }: Outcome, { locals }: Pick<Response, "locals">) {
  const { site, cache, fragmentState } = locals;
  span.rename(route === undefined ? method : `${method} ${route}`);
  span.add({ "http.request.method": method, "http.response.status_code": status });
  if (route !== undefined) span.add({ "http.route": route });
  if (site !== undefined)
    span.add({ "storefront.site": site, "storefront.cache": cache, "storefront.fragment_state": fragmentState });
  if (status >= 500) span.fail(String(status));
  span.end();
}
