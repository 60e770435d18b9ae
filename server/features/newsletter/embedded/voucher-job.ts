import { type Milliseconds, second } from "../../../../client/rules/time.ts";
import { isReported } from "../../../platform/errors.ts";
import { createHealthLog } from "../../../platform/health-log.ts";
import type { Job } from "../../../platform/lifecycle.ts";
import { runJob } from "../../../platform/request-context.ts";
import type { NewsletterContext } from "./newsletter-context.ts";
import { countCodesLeft } from "./voucher-codes.ts";
import { findWaitingSites, welcomeWaiting } from "./welcome.ts";

/** The interval between two looks for imported codes. */
const interval: Milliseconds = 10 * second;

/**
 * Creates the job that sends the welcome emails which wait for a code, once codes are imported, and measures how many
 * codes are left. Any number of replicas may run it.
 * @param wake - sends the emails that have been queued
 */
export function createVoucherJob(context: NewsletterContext, wake: () => void): Job {
  const { countries, db, logger, metrics, readiness } = context;
  const health = createHealthLog(logger, {
    down: "welcome mails wait for voucher codes: import some",
    up: "no welcome mail waits for a voucher code",
  });
  const isEnding = () => readiness.state === "draining";
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;

  async function sendAndMeasure(): Promise<void> {
    try {
      const waiting = await findWaitingSites(db);
      for (const { site } of countries.sites) {
        const waits = waiting.has(site) && (await welcomeWaiting(context, site, isEnding));
        if (isEnding()) return;
        if (waits) health.down({ site, reason: "no code is left" });
        else health.up(site);
      }
      if (waiting.size > 0) wake();
      const imported = countries.sites.filter(({ newsletter }) => newsletter.voucher?.codes === "imported");
      if (imported.length === 0) return;
      const left = await countCodesLeft(db);
      for (const { site } of imported) metrics.vouchersLeft.set({ site }, left.get(site) ?? 0);
    } catch (error) {
      if (!isReported(error)) logger.error({ err: error }, "sending waiting welcome mails failed");
    }
  }

  function check(): void {
    if (isEnding()) return;
    running ??= runJob(sendAndMeasure).finally(() => {
      running = undefined;
    });
  }

  return {
    start() {
      timer = setInterval(check, interval).unref();
      check();
    },
    idle: async () => running,
    async close() {
      clearInterval(timer);
      await running;
    },
  };
}
