import { hashSessionId } from "../../server/accounts/sessions.ts";
import { type Bench, clockOf, type Jar, renewed } from "./login-test.ts";

/** What came of many tabs that renewed the same sessions at once. */
export interface RenewalCount {
  renewals: number;
  /** Tabs that were signed out. */
  falseLogouts: number;
  /** Sessions that are left of those, each with one set of credentials. */
  liveFamilies: number;
  /** Different generations of credentials that a session gave out. */
  mostGenerations: number;
}

/** Lets all tabs of all sessions renew at once. */
export async function renewFamilies(bench: Bench, families: readonly Jar[], tabs: number): Promise<RenewalCount> {
  const answers = await Promise.all(
    families.map((jar) => Promise.all(Array.from({ length: tabs }, () => renewed(bench, jar)))),
  );
  const generations = answers.map((all) => new Set(all.map(({ jar }) => generationOf(jar))).size);
  const ids = new Set(families.map((jar) => hashSessionId(clockOf(jar).lid ?? "")));
  const sessions = await bench.db.selectFrom("session").select(["id", "generation"]).execute();
  return {
    renewals: answers.flat().length,
    falseLogouts: answers.flat().filter(({ status }) => status !== "renewed").length,
    liveFamilies: sessions.filter(({ id, generation }) => ids.has(id) && generation === 1).length,
    mostGenerations: Math.max(...generations),
  };
}

function generationOf({ LongtermToken = "" }: Jar): unknown {
  const [, payload = ""] = LongtermToken.split(".");
  return JSON.parse(Buffer.from(payload, "base64url").toString() || "{}").gen;
}
