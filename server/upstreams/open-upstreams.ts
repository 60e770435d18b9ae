import type { Logger } from "../logger.ts";
import type { Metrics } from "../metrics.ts";
import { realServices, type UpstreamUrls } from "../services/real-services.ts";
import { createUpstreamOutage, type Upstream } from "./upstream.ts";

/** The upstream of each real service; undefined where the embedded one answers. */
export type Upstreams = { [Name in keyof UpstreamUrls]?: Upstream };

/** Gives the upstream of every real service, which all share who call it. */
export function openUpstreams(urls: UpstreamUrls, logger: Logger, metrics: Metrics): Upstreams {
  const upstreams: Upstreams = {};
  for (const { name } of realServices) {
    const url = urls[name];
    if (url) upstreams[name] = { url, metrics, outage: createUpstreamOutage(name, logger) };
  }
  return upstreams;
}
