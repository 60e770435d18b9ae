import type { Promotion } from "../../schemas/types.ts";
import type { Site } from "../sites/countries.ts";
import type { RequestedPreview } from "./preview-of.ts";

/**
 * Finds the promotion of a site's footer in the promotion service, be it the embedded or a real one: that of now, or the
 * one that staff preview.
 * @returns undefined when there is none
 * @throws UpstreamError, or what the store throws
 */
export type FindPromotion = (site: Site, preview?: RequestedPreview) => Promise<Promotion | undefined>;
