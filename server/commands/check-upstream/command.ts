import { Argument, type Command } from "commander";
import { upstreamsOf } from "../../config/env.ts";
import type { ServiceName } from "../../config/real-services.ts";
import { loadShop } from "../../context.ts";
import { StartError, throwFaults } from "../../platform/errors.ts";
import { formats } from "../../platform/formats.ts";
import type { Run } from "../../store/command.ts";
import { checkService, serviceNames } from "./check-service.ts";
import type { Report } from "./findings.ts";
import { checkProviders } from "./identity-provider/check-providers.ts";

/** The name of the providers at which customers and staff sign in. */
const identityProvider = "oidc";
type Checked = ServiceName | typeof identityProvider;

/** The variables with test accounts. */
const accounts = {
  CHECK_EMAIL: "the address of a test customer",
  CHECK_PASSWORD: "the customer's password",
  CHECK_STAFF_USER: "the name of a test member of staff",
  CHECK_STAFF_PASSWORD: "the member's password",
  CHECK_TOKEN: "the token of a newsletter sign-up that waits for confirmation; it is used up",
  CHECK_TOKEN_EXPIRED: "the token of a newsletter sign-up that has waited for too long",
  CHECK_TOKEN_PREFERENCES: "the token by which a subscriber opens the subscriber's page",
};

const help = `
Test accounts, in the environment; what needs a missing one isn't checked:
${Object.entries(accounts)
  .map(([name, meaning]) => `  ${name.padEnd(26)}${meaning}`)
  .join("\n")}

The test accounts sign in and out, once with a wrong password; CHECK_EMAIL also signs up, and CHECK_TOKEN confirms and
unsubscribes. What the subscriber of CHECK_TOKEN_PREFERENCES has chosen is changed, and changed back. Invented addresses
sign in wrongly, up to 12 times each. The customer service gets a session of the login service at UPSTREAM_LOGIN_URL, or
else at its own address. All calls are of one site, which DEFAULT_SITE can name.

\`oidc\` asks the providers of OIDC_ISSUER and OIDC_STAFF_ISSUER what can be asked without a person.

In the curl lines, $CHECK_EMAIL and the like stand for the variables, and $login and the like for cookies of a sign-in.`;

/** Adds the command that checks whether a real service answers as it must. */
export function checkUpstreamCommand(program: Command, run: Run): void {
  program
    .command("check-upstream")
    .addArgument(new Argument("<service>", "the service's name").choices([...serviceNames, identityProvider]))
    .argument("[url]", `its address; the environment has that of ${identityProvider}`)
    .description(
      "make each call of a real service, or of the identity providers, and list the deviations; fails if there are any",
    )
    .addHelpText("after", help)
    .action(
      run(
        async (
          { env, logger, output },
          service: Checked,
          url: string | undefined,
          _options: object,
          command: Command,
        ) => {
          checkAddress(service, url, command);
          const { shop, faults } = await loadShop(env, logger, env.port);
          throwFaults(faults);
          const report =
            url === undefined || service === identityProvider
              ? await checkProviders(env, shop.countries.sites)
              : await checkService(service, url, {
                  shop: { ...shop, logger },
                  variables: readAccounts(),
                  site: env.defaultSite,
                  loginUrl: upstreamsOf(env, env.defaultSite).login ?? url,
                });
          if (!report) return command.error("error: the environment has neither OIDC_ISSUER nor OIDC_STAFF_ISSUER");
          if (output.json) await output.show(report);
          else await output.write(describeReport(report));
          if (report.deviations.length > 0) throw new StartError([summarize(report)]);
          if (!output.json) await output.say(summarize(report));
        },
      ),
    );
}

/** Ends the command if the address is wrong, missing, or one too many. */
function checkAddress(service: Checked, url: string | undefined, command: Command): void {
  if (service === identityProvider) {
    if (url !== undefined) command.error(`error: ${service} has no url: OIDC_ISSUER and OIDC_STAFF_ISSUER name it`);
    return;
  }
  if (url === undefined) command.error("error: missing required argument 'url'");
  const format = formats["upstream-url"];
  // The library's own check would print a password in it.
  if (url !== undefined && format && !format.validate(url)) command.error(`error: the url ${format.message}`);
}

function readAccounts(): Record<string, string> {
  const set = Object.keys(accounts).map((name) => [name, process.env[name] ?? ""] as const);
  return Object.fromEntries(set.filter(([, value]) => value !== ""));
}

/** Describes a report by a line for each call, a sentence for each deviation, and the line for a shell that shows them. */
function describeReport({ calls, deviations }: Report): string {
  const lines = Object.keys(calls).flatMap((call) => {
    const own = deviations.filter((deviation) => deviation.call === call);
    const described = [...Map.groupBy(own, ({ curl }) => curl)].flatMap(([curl, shown]) => [
      ...shown.map(({ case: cases, field, expected, found }) => `  ${field} ${expected}, found: ${found} (${cases})`),
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
