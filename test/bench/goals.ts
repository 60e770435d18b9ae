/** What a figure should be. One that has neither bound is measured beside those that have. */
export interface Goal {
  title: string;
  unit?: "ms" | "s" | "MB" | "kB" | "points" | "µs";
  atMost?: number;
  atLeast?: number;
}

/** Every figure of the benchmark with its goal, in the order of the table. Ratios are those of processor times. */
export const goals = {
  footerToLogged: { title: "footer, cache on ÷ Express with constant bytes, its headers and log line", atMost: 1.15 },
  constantToFooter: { title: "bare Express with constant bytes ÷ footer, cache on", atLeast: 0.5 },
  reactToRendered: { title: "React's stream of the whole tree ÷ footer rendered per request", atLeast: 6 },
  podletToRendered: { title: "Podium podlet ÷ footer rendered per request", atLeast: 4 },
  nextToRendered: { title: "Next.js ÷ footer rendered per request", atLeast: 40 },
  tail: { title: "p99 ÷ p50 of the footer at 80 % of the peak, open loop", atMost: 5 },
  countriesFooter: { title: "footers with 200 countries ÷ with nine", atMost: 1.05 },
  countriesNewsletter: { title: "newsletter blocks with 200 countries ÷ with nine", atMost: 1.05 },
  countriesStart: { title: "start to ready with 200 countries", unit: "s", atMost: 1.5 },
  signUpsSqlite: { title: "sign-ups a second ÷ bare durable inserts, SQLite", atLeast: 0.5 },
  signUpsPostgres: { title: "sign-ups a second ÷ bare durable inserts, PostgreSQL", atLeast: 0.5 },
  loginPage: { title: "time to first byte of the login page ÷ of constant bytes", atMost: 3 },
  memoryAtRest: { title: "memory at rest", unit: "MB", atMost: 120 },
  memoryAfterLoad: { title: "memory after load", unit: "MB", atMost: 160 },
  firstStart: { title: "built service, first start to ready, processor time", unit: "s", atMost: 0.4 },
  restart: { title: "built service, restart to ready, processor time", unit: "s", atMost: 0.4 },
  npmStart: { title: "npm start with nothing to build, processor time", unit: "s", atMost: 0.9 },
  htmlRaw: { title: "footer HTML (DE), raw", unit: "kB", atMost: 24 },
  htmlGzip: { title: "footer HTML (DE), gzip", unit: "kB", atMost: 5 },
  cssGzip: { title: "footer CSS, gzip", unit: "kB", atMost: 5 },
  bootGzip: { title: "boot script, gzip", unit: "kB", atMost: 2.3 },
  scriptUntouched: { title: "script of a shopper who touches nothing, beside the boot script", unit: "kB", atMost: 0 },
  scriptTouched: { title: "script until the newsletter answers the first touch", unit: "kB", atMost: 12 },
  touchWait: { title: "first touch of the newsletter until it listens, slow phone", unit: "ms" },
  shopPerformance: { title: "Lighthouse, shop page: performance", unit: "points", atLeast: 100 },
  shopAccessibility: { title: "Lighthouse, shop page: accessibility", unit: "points", atLeast: 100 },
  shopBestPractices: { title: "Lighthouse, shop page: best practices", unit: "points", atLeast: 100 },
  shopSeo: { title: "Lighthouse, shop page: SEO", unit: "points", atLeast: 100 },
  shopShift: { title: "Lighthouse, shop page: layout shift", atMost: 0 },
  shopBlocking: { title: "Lighthouse, shop page: total blocking time", unit: "ms", atMost: 0 },
  loginPerformance: { title: "Lighthouse, login: performance", unit: "points", atLeast: 100 },
  loginAccessibility: { title: "Lighthouse, login: accessibility", unit: "points", atLeast: 100 },
  loginBestPractices: { title: "Lighthouse, login: best practices", unit: "points", atLeast: 100 },
  loginSeo: { title: "Lighthouse, login: SEO", unit: "points", atLeast: 100 },
  loginShift: { title: "Lighthouse, login: layout shift", atMost: 0 },
  loginBlocking: { title: "Lighthouse, login: total blocking time", unit: "ms", atMost: 0 },
} satisfies Record<string, Goal>;

export type FigureName = keyof typeof goals;
