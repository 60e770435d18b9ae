/** What the exports of traces and metrics tell a collector, and log about it. */
import { AsyncLocalStorage } from "node:async_hooks";
import { type ExportResult, ExportResultCode } from "@opentelemetry/core";
import {
  defaultResource,
  detectResources,
  type Resource,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from "@opentelemetry/resources";
import { createHealthLog } from "../platform/health-log.ts";
import type { Logger } from "../platform/logger.ts";

/**
 * Describes the service to a collector, with the attributes that the environment names.
 * @param build - the service's version
 */
export function describeService(build: string): Resource {
  const own = resourceFromAttributes({ "service.name": "storefront-fragments", "service.version": build });
  const given = detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] });
  return defaultResource().merge(own).merge(given);
}

/** Creates the function that logs when a collector goes down and when it is back, from the results of exports. */
export function logExports(logger: Logger, messages: { down: string; up: string }): (result: ExportResult) => void {
  const health = createHealthLog(logger, messages);
  // Exports run in the background, so an export error belongs to no request.
  return AsyncLocalStorage.bind(({ code, error }: ExportResult) => {
    if (code === ExportResultCode.SUCCESS) health.up();
    else health.down({ reason: reasonFor(error) });
  });
}

/** Returns the reason why an export failed, without the collector's answer. */
function reasonFor(error: Error | undefined): string {
  const code = error && "code" in error ? error.code : undefined;
  if (typeof code === "number") return `status ${code}`;
  return typeof code === "string" ? `no answer (${code})` : (error?.message ?? "no reason given");
}
