import { setTimeout as pause } from "node:timers/promises";
import { type Milliseconds, second } from "../../client/rules/time.ts";
import { type Visit, type VisitAnswer, visit } from "../deploy/visit.ts";

/** What shoppers ask for, in the order in which they take turns. */
const kinds = ["page", "fragment", "asset", "JSON", "sign-up"] as const;

export type RequestKind = (typeof kinds)[number];

/** How many of twenty requests are of a kind. */
const shares: Record<RequestKind, number> = { page: 6, fragment: 6, asset: 4, JSON: 3, "sign-up": 1 };
const turns = kinds.flatMap((kind) =>
  Array.from({ length: shares[kind] }, (_, turn) => ({ kind, at: (turn + 0.5) / shares[kind] })),
);
const order = turns.toSorted((one, other) => one.at - other.at).map(({ kind }) => kind);

/** What the fragments of a page are, and calls that anybody's browser makes. */
const fragments = ["footer/{site}", "footer/{site}?platform=MATCH", "footer/{site}?reduced=true", "newsletter/{site}"];
const calls = [
  "promotion/api/promotion/SHOP_FOOTER",
  "abtestfrontend/api/v1/gettestsat",
  "customerfrontenddata/api/v1/psdata",
];

const ada = { salutation: "MRS", firstName: "Ada", lastName: "Beispiel", consents: ["NEWSLETTER"] };

export interface Shoppers {
  /** How long each answer took, by kind. */
  times: ReadonlyMap<RequestKind, readonly Milliseconds[]>;
  /** What came in place of what was asked for, and after how many seconds. */
  failures: readonly { kind: RequestKind; what: string }[];
  /** Addresses of those whose sign-up was taken. */
  signedUp: ReadonlySet<string>;
  /** Sends the next request, as another shopper. It never throws. */
  ask(): Promise<void>;
}

/** Longest time for which a patient shopper comes again. */
const comesAgainFor: Milliseconds = 10 * second;

/**
 * Creates shoppers who ask an edge for pages, for what these name, for fragments and calls, and who sign up. Each comes
 * from an address of their own.
 * @param arePatient - whether they come again after 502 and 503, as what is asked of a busy machine may be too much
 */
export function createShoppers(edge: string, sites: readonly string[], arePatient: boolean): Shoppers {
  const times = new Map<RequestKind, Milliseconds[]>(kinds.map((kind) => [kind, []]));
  const failures: { kind: RequestKind; what: string }[] = [];
  const signedUp = new Set<string>();
  /** The files that the last pages name, the newest last. */
  let assets: string[] = [];
  const opened = performance.now();
  let count = 0;
  return { times, failures, signedUp, ask };

  async function ask(): Promise<void> {
    const number = count++;
    const kind = order[number % order.length] ?? "page";
    const site = sites[number % sites.length] ?? "DE";
    const shop = `http://${site.toLowerCase().replace("_", "-")}.localhost:8080`;
    // 127.0.0.1 is the proxies'.
    const from = `127.${1 + ((number >> 16) % 60)}.${(number >> 8) & 255}.${number & 255}`;
    const email = `shopper-${number}@shop.example`;
    const planned = plan(kind, number, shop, site, email);
    const begun = performance.now();
    const fault = await visitPatiently({ ...planned, from }).then(
      (answer) => faultOf(kind, site, answer),
      (error: Error) => error.message,
    );
    times.get(kind)?.push(performance.now() - begun);
    if (fault)
      failures.push({ kind, what: `after ${Math.round((begun - opened) / second)} s: ${planned.url}: ${fault}` });
    else if (kind === "sign-up") signedUp.add(email);
  }

  async function visitPatiently(planned: Visit): Promise<VisitAnswer> {
    for (const end = performance.now() + comesAgainFor; ; await pause(second / 4)) {
      const answer = await visit(edge, planned);
      const isBusy = answer.status === 502 || answer.status === 503;
      if (!arePatient || !isBusy || performance.now() > end) return answer;
    }
  }

  function plan(kind: RequestKind, number: number, shop: string, site: string, email: string): Visit {
    const oneOf = (list: readonly string[]) => list[Math.floor(number / order.length) % list.length] ?? "";
    if (kind === "fragment") return { url: `${shop}/fragments/${oneOf(fragments).replace("{site}", site)}` };
    if (kind === "JSON") return { url: `${shop}/service/${oneOf(calls)}`, headers: { "X-hunter-csrf": "1" } };
    if (kind === "asset" && assets.length > 0) return { url: shop + assets[number % assets.length] };
    if (kind !== "sign-up") return { url: `${shop}/` };
    return {
      url: `${shop}/service/newsletter/api/internal/newsletter-subscribers`,
      method: "POST",
      headers: { "Content-Type": "application/json", Origin: shop, "X-hunter-csrf": "1" },
      // What any of the sites asks for.
      body: JSON.stringify({ email, ...ada }),
    };
  }

  /** Says what is wrong with an answer; undefined where nothing is. */
  function faultOf(kind: RequestKind, site: string, { status, body }: VisitAnswer): string | undefined {
    if (status !== (kind === "sign-up" ? 202 : 200)) return `${status} ${body.slice(0, 100)}`;
    const isFooter = (html: string) => html.includes(`data-site="${site}"`) && html.includes("</footer>");
    if (kind === "page") {
      assets = [
        ...new Set(
          Array.from(body.matchAll(/(?:href|src)="(\/assets\/[^"#]+\.(?:css|js|svg))/g), ([, path = ""]) => path),
        ),
      ];
      if (!isFooter(body) || !body.endsWith("</html>")) return "a page without its footer";
    }
    return body === "" && kind !== "sign-up" ? "nothing" : undefined;
  }
}
