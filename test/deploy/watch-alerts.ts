import { setTimeout as pause } from "node:timers/promises";
import type { Milliseconds } from "../../client/rules/time.ts";
import { askPrometheus } from "./ask-prometheus.ts";

/** An alert that has fired. Its times are those of the clock of `performance`. */
export interface FiredAlert {
  name: string;
  /** The replica it is about; empty where it is about all. */
  instance: string;
  begun: Milliseconds;
  /** Undefined while it fires. */
  ended: Milliseconds | undefined;
}

/**
 * Looks which alerts Prometheus fires, until it is stopped.
 * @param every - time between two looks
 */
export function watchAlerts(prometheus: string, every: Milliseconds) {
  const fired: FiredAlert[] = [];
  let isOver = false;
  const watching = watch();
  return {
    /** Every alert that has fired so far. */
    fired: fired as readonly FiredAlert[],
    async stop() {
      isOver = true;
      await watching;
    },
  };

  async function watch() {
    for (; !isOver; await pause(every)) {
      const { alerts } = await askPrometheus(prometheus, "alerts");
      const firing = alerts.filter(({ state }) => state === "firing").map(({ labels }) => labels);
      const now = performance.now();
      const isFiring = ({ name, instance }: FiredAlert) =>
        firing.some(({ alertname, instance: about = "" }) => alertname === name && about === instance);
      const open = fired.filter(({ ended }) => ended === undefined);
      for (const alert of open) if (!isFiring(alert)) alert.ended = now;
      for (const { alertname: name = "", instance = "" } of firing)
        if (!open.some((alert) => alert.name === name && alert.instance === instance))
          fired.push({ name, instance, begun: now, ended: undefined });
    }
  }
}
