import { setTimeout as pause } from "node:timers/promises";
import { Argument, type Command } from "commander";
import { type Milliseconds, second } from "../../client/rules/time.ts";
import { type ServiceName, upstreamsOf } from "../config/env.ts";
import { loadShop } from "../context.ts";
import { loginCookieNames } from "../features/login/service.ts";
import { newsletterDeadline } from "../features/newsletter/service.ts";
import { staffCookieNames } from "../http/cookies.ts";
import { refuseFaults, StartError, UpstreamError } from "../platform/errors.ts";
import { formats } from "../platform/formats.ts";
import type { Run } from "../store/command.ts";
import { checkAbTests, checkContent, checkCustomer, checkPromotion } from "./check-upstream/lookups.ts";
import { checkNewsletter } from "./check-upstream/newsletter.ts";
import {
  createProbe,
  type Deviation,
  type Jar,
  type ProbedService,
  quoteForShell,
  visitor,
} from "./check-upstream/probe.ts";
import type { Check } from "./check-upstream/rules.ts";
import { checkLogin, checkPreview, signIn } from "./check-upstream/sessions.ts";

/** The variables with test accounts. */
const accounts = {
  CHECK_EMAIL: "the address of a test customer",
  CHECK_PASSWORD: "the customer's password",
  CHECK_STAFF_USER: "the name of a test member of staff",
  CHECK_STAFF_PASSWORD: "the member's password",
  CHECK_TOKEN: "the token of a newsletter sign-up that waits for confirmation; it is used up",
  CHECK_TOKEN_EXPIRED: "the token of a newsletter sign-up that has waited for too long",
};

const help = `
Test accounts, in the environment; what needs a missing one isn't checked:
${Object.entries(accounts)
  .map(([name, meaning]) => `  ${name.padEnd(22)}${meaning}`)
  .join("\n")}

The test accounts sign in and out, once with a wrong password; CHECK_EMAIL also signs up, and CHECK_TOKEN confirms and
unsubscribes. Invented addresses sign in wrongly, up to 12 times each. The customer service gets a session of the login
service at UPSTREAM_LOGIN_URL, or else at its own address. All calls are of one site, which DEFAULT_SITE can name.

In the curl lines, $CHECK_EMAIL and the like stand for the variables, and $login and the like for cookies of a sign-in.`;

interface CheckedService extends Pick<ProbedService, "deadline" | "visitorHeaders"> {
  check(check: Check): Promise<void>;
}

const services: Record<ServiceName, CheckedService> = {
  newsletter: {
    check: checkNewsletter,
    deadline: newsletterDeadline,
    visitorHeaders: () => ({ "x-original-address": visitor }),
  },
  customer: {
    check: checkCustomer,
    visitorHeaders: ({ login }) => (login === undefined ? {} : { "x-login-token": login }),
  },
  login: { check: checkLogin, visitorHeaders: cookies(loginCookieNames) },
  preview: { check: checkPreview, visitorHeaders: cookies(staffCookieNames) },
  promotion: { check: checkPromotion, visitorHeaders: cookies(staffCookieNames) },
  content: { check: checkContent, visitorHeaders: cookies(staffCookieNames) },
  abtest: { check: checkAbTests },
};

/** Sends cookies of these names. */
function cookies(names: readonly string[]) {
  return (jar: Jar): Record<string, string> => {
    const pairs = names.flatMap((name) => (jar[name] === undefined ? [] : [`${name}=${jar[name]}`]));
    return pairs.length > 0 ? { cookie: pairs.join("; ") } : {};
  };
}

export interface Report {
  service: ServiceName;
  url: string;
  /** How often each call was made. */
  calls: Record<string, number>;
  deviations: Deviation[];
  /** What wasn't checked, and why. */
  notChecked: string[];
}

interface CheckOptions extends Pick<Check, "shop" | "variables"> {
  /** Code of the site that calls. */
  site: string;
  /** The service that signs the test customer in for the customer service. */
  loginUrl: string;
}

/** Adds the command that checks whether a real service answers as it must. */
export function checkUpstreamCommand(program: Command, run: Run): void {
  program
    .command("check-upstream")
    .addArgument(new Argument("<service>", "the service's name").choices(Object.keys(services)))
    .argument("<url>", "its address")
    .description("make each call of a real service, and list its deviations; fails if there are any")
    .addHelpText("after", help)
    .action(
      run(async ({ env, logger, output }, service: ServiceName, url: string, _options: object, command: Command) => {
        const format = formats["upstream-url"];
        // The library's own check would print a password in it.
        if (format && !format.validate(url)) command.error(`error: the url ${format.message}`);
        const variables = Object.fromEntries(
          Object.keys(accounts).flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
        );
        const site = env.defaultSite;
        const { login: loginUrl = url } = upstreamsOf(env, site);
        const { shop, faults } = await loadShop(env, logger, env.port);
        refuseFaults(faults);
        const report = await checkService(service, url, { shop: { ...shop, logger }, variables, site, loginUrl });
        if (output.json) await output.show(report);
        else await output.write(describeReport(report));
        if (report.deviations.length > 0) throw new StartError([summarize(report)]);
        if (!output.json) await output.say(summarize(report));
      }),
    );
}

/** Asks a real service everything that this service may ask it, and reports what it answers otherwise than it must. */
export async function checkService(name: ServiceName, url: string, options: CheckOptions): Promise<Report> {
  const { shop, variables, loginUrl } = options;
  const { check, ...service } = services[name];
  const { probe, calls, deviations, operations } = createProbe({ ...options, ...service, name, url });
  const notChecked = new Set<string>();
  const leaveOut = (what: string, why: string) => void notChecked.add(`${what} (${why})`);
  const idle = watchIdleConnection(url);
  try {
    await check({
      ...{ probe, operations, shop, variables, leaveOut },
      signIn() {
        const login = createProbe({ ...options, ...services.login, name: "login", url: loginUrl });
        return signIn(login.probe).catch(() => undefined);
      },
      has(names, what) {
        const missing = names.filter((name) => variables[name] === undefined);
        if (missing.length > 0) leaveOut(what, `set ${missing.join(" and ")}`);
        return missing.length === 0;
      },
    });
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    leaveOut("everything else", "the service doesn't answer");
  }
  const watched = await idle;
  if (watched) {
    calls.set(watchedCall, 1);
    deviations.push(...watched);
  }
  return { service: name, url, calls: Object.fromEntries(calls), deviations, notChecked: [...notChecked] };
}

/** The call whose connection is watched, as reports name it. */
const watchedCall = "GET /service/";
/** This service closes an idle connection after a second, or earlier if the other one says so. */
const shortest: Milliseconds = 2 * second;

/**
 * Watches an idle connection to a service. One that the service closes too early would lose a POST.
 * @returns undefined if there is no answer
 */
async function watchIdleConnection(url: string): Promise<Deviation[] | undefined> {
  const { Agent } = (await import("undici")).default;
  const timeouts = { connect: { timeout: second }, keepAliveTimeout: 2 * shortest, keepAliveTimeoutThreshold: 0 };
  const agent = new Agent(timeouts);
  const { origin, pathname } = new URL(url);
  const path = `${pathname.replace(/\/+$/, "")}/service/`;
  const closed = new Promise((resolve) => agent.once("disconnect", () => resolve("closed")));
  try {
    const signal = AbortSignal.timeout(5 * second);
    const { headers, body } = await agent.request({ method: "GET", path, origin, signal });
    await body.dump();
    const from = performance.now();
    const [, stated = Infinity] = /timeout=(\d+)/.exec(String(headers["keep-alive"])) ?? [];
    if (Number(stated) * second <= shortest || (await Promise.race([closed, pause(shortest)])) !== "closed") return [];
    const address = quoteForShell(origin + path);
    const deviation = {
      ...{ call: watchedCall, case: "an idle connection", field: "connection" },
      expected: `open for ${shortest / second} s, or for the time in Keep-Alive`,
      found: `closed after ${Math.round(performance.now() - from)} ms`,
      // The second call comes when the connection has been idle for long enough.
      curl: `curl --verbose --rate 24/m ${address} ${address}`,
    };
    return [deviation];
  } catch {
    return undefined;
  } finally {
    await agent.destroy();
  }
}

function describeReport({ calls, deviations }: Report): string {
  const lines = Object.keys(calls).flatMap((call) => {
    const own = deviations.filter((deviation) => deviation.call === call);
    const described = own.flatMap(({ case: what, field, expected, found, curl }) => [
      `  ${what}: ${field}: ${found}; expected: ${expected}`,
      `    ${curl}`,
    ]);
    return [`${own.length > 0 ? "WRONG" : "ok   "} ${call}`, ...described];
  });
  return lines.map((line) => `${line}\n`).join("");
}

function summarize({ calls, deviations, notChecked }: Report): string {
  const made = Object.values(calls).reduce((sum, times) => sum + times, 0);
  const rest = notChecked.length > 0 ? `; not checked: ${notChecked.join("; ")}` : "";
  return `calls: ${made}, deviations: ${deviations.length}${rest}`;
}
