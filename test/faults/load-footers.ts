import { Agent, request } from "undici";
import { type Milliseconds, second } from "../../client/rules/time.ts";
import { findSites } from "../../server/sites/countries.ts";

export interface Footers {
  asked: number;
  /** 99 of 100 footers of shoppers took no longer. Those of staff wait for the preview service. */
  p99: Milliseconds;
  /** Footers that weren't whole, and how so. */
  wrong: string[];
}

/** Every so manyth footer is one that staff preview. */
const oneOfStaff = 20;
const staff = { Cookie: "StaffAuthToken=a; CobraAuthToken=b; PreviewContext=c" };

/**
 * Asks for the footers of all sites in turn, so many a second, however long they take.
 * @returns what ends that, and tells how it went
 */
export function loadFooters(origin: string, rate: number): { end(): Promise<Footers> } {
  const sites = findSites("countries");
  const times: Milliseconds[] = [];
  const wrong: string[] = [];
  const asked: Promise<void>[] = [];
  // As an edge does: a few connections that are kept.
  const agent = new Agent({ connections: 16 });
  const started = performance.now();
  // Timers are late at times: what was missed is asked for at once.
  const timer = setInterval(() => {
    while (asked.length < ((performance.now() - started) / second) * rate) asked.push(ask(asked.length));
  }, second / rate).unref();
  return {
    async end() {
      clearInterval(timer);
      await Promise.all(asked);
      await agent.close();
      const sorted = times.toSorted((a, b) => a - b);
      return { asked: asked.length, p99: sorted[Math.floor(sorted.length * 0.99)] ?? Number.POSITIVE_INFINITY, wrong };
    },
  };

  async function ask(turn: number) {
    const site = sites[turn % sites.length];
    const isStaff = turn % oneOfStaff === 0;
    const sent = performance.now();
    try {
      const address = `${origin}/fragments/footer/${site}`;
      const { statusCode, body } = await request(address, { dispatcher: agent, headers: isStaff ? staff : {} });
      const text = await body.text();
      // The first footer of each site is rendered, the others are warm.
      if (!isStaff && turn >= sites.length) times.push(performance.now() - sent);
      const isWhole = statusCode === 200 && text.includes('data-section="teasers"');
      if (!isWhole) wrong.push(`the footer of ${site} answers ${statusCode}`);
    } catch {
      wrong.push(`the footer of ${site} doesn't answer`);
    }
  }
}
