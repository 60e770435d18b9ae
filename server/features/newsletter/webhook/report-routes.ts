import express, { type Request, Router } from "express";
import { isEmail, normalizeEmail } from "../../../../client/rules/email.ts";
import { type Milliseconds, minute, second } from "../../../../client/rules/time.ts";
import type { NewsletterEventReport } from "../../../../schemas/types.ts";
import type { WebhookSecrets } from "../../../config/env.ts";
import { createBodyReader, fieldError } from "../../../http/request-input.ts";
import { RequestError } from "../../../platform/errors.ts";
import { isSigned, readKeys } from "../../../upstream/signatures.ts";
import type { AppContext } from "../../feature.ts";

const readReport = createBodyReader<NewsletterEventReport>("newsletter-event-report");

/** How far the time of a message may differ from the service's. */
const tolerance: Milliseconds = 5 * minute;
/** In bytes. */
const maxBody = 2 * 1024;

interface ReportedNewsletter {
  /**
   * Stores a report, once.
   * @param id - the same when the report is repeated
   * @returns what was reported; undefined when it was known
   */
  report(id: string, report: NewsletterEventReport): Promise<string | undefined>;
}

/**
 * The call by which the sender of the newsletter reports bounces and complaints. The sender isn't a browser: the
 * signature proves the origin of the call.
 */
export function reportRoutes(
  { countries, metrics }: AppContext,
  secrets: WebhookSecrets,
  newsletter: ReportedNewsletter,
): Router {
  const keys = readKeys(secrets);
  const readBody = express.raw({ limit: maxBody, inflate: false, type: () => true });
  return Router().post("/service/newsletter/api/internal/newsletter-events", readBody, async (request, response) => {
    const { id, body } = readMessage(request, keys);
    const report = readReport(parseJson(body));
    const { email, site } = report.data;
    if (!isEmail(normalizeEmail(email)))
      throw fieldError([{ field: "data/email", message: "must be an email address" }]);
    if (site !== undefined && !countries.get(site))
      throw fieldError([{ field: "data/site", message: "must be a site" }]);
    const kind = await newsletter.report(id, report);
    if (kind) metrics.reports.inc({ kind });
    response.status(204).end();
  });
}

/**
 * Reads a message by https://www.standardwebhooks.com.
 * @returns undefined if its signature or its time is wrong
 */
function readMessage(request: Request, keys: readonly Buffer[]) {
  const headerOf = (name: string) => request.get(`webhook-${name}`) ?? "";
  const [id, timestamp, signatures] = [headerOf("id"), headerOf("timestamp"), headerOf("signature")];
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  // With a dot in the id, the signature of one message would also fit another id with another body.
  const isId = /^[^.]+$/.test(id);
  const isTime = /^\d{10}$/.test(timestamp);
  const isRecent = Math.abs(Number(timestamp) * second - Date.now()) <= tolerance;
  if (!isId || !isTime || !isRecent || !isSigned(keys, { id, timestamp, body }, signatures))
    throw new RequestError(
      "unauthorized",
      "the signature is wrong, webhook-id contains a dot, or webhook-timestamp isn't a time of 10 digits within 5 minutes of now",
    );
  return { id, body };
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    throw new RequestError("badRequest", "the body must be JSON in UTF-8");
  }
}
