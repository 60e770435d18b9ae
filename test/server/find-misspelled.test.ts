import { describe, expect, it } from "vitest";
import { readEnv } from "../../server/env.ts";

const misspelledOf = (variables: Record<string, string>) => readEnv(variables).misspelled;
const asVariables = (names: string) => Object.fromEntries(names.split(/\s+/).map((name) => [name, "x"]));

describe("a variable with nearly the name of one of the service's own", () => {
  it.each([
    ["UPSTREAM_LOGN_URL", "UPSTREAM_LOGIN_URL"],
    ["UPSTREAM_LOGIN", "UPSTREAM_LOGIN_URL"],
    ["NEWSLETTER_WEBHOOK_SECRETS", "NEWSLETTER_WEBHOOK_SECRET"],
    ["KEY_ENCRYPTION_KEYFILE", "KEY_ENCRYPTION_KEY_FILE"],
    ["TRUST_PROXI", "TRUST_PROXY"],
    ["TRUSTED_PROXY", "TRUST_PROXY"],
    ["SITE_ORIGN_DE", "SITE_ORIGIN_DE"],
    ["DATABASE_URI", "DATABASE_URL"],
    ["SMTP_URI", "SMTP_URL"],
    ["LOGLEVEL", "LOG_LEVEL"],
    ["LOG_LEVLE", "LOG_LEVEL"],
    ["SMPT_URL", "SMTP_URL"],
    ["ASSETS_BASE_URL", "ASSET_BASE_URL"],
  ])("is named with it: %s", (name, meant) => {
    expect(misspelledOf({ [name]: "x" })).toEqual([{ name, meant }]);
  });

  it("is left alone where it is blank, as it isn't set then", () => {
    expect(misspelledOf({ TRUST_PROXI: " ", UPSTREAM_LOGN_URL: "" })).toEqual([]);
  });
});

describe("a usual environment has no such variable:", () => {
  it.each([
    [
      "that of a shell",
      "HOME HOSTNAME LANG LC_ALL LOGNAME MAIL OLDPWD PATH PWD SHELL SHLVL TERM TMPDIR TZ USER XDG_DATA_DIRS XDG_DATA_HOME _",
    ],
    [
      "that of a container",
      "HOSTNAME HOME NODE_VERSION YARN_VERSION NODE_OPTIONS NODE_ENV2 NO_PROXY HTTP_PROXY HTTPS_PROXY http_proxy no_proxy SSL_CERT_FILE HOSTS PORTS HSTS_MAX_AGE DEMO_MODE",
    ],
    [
      "that of a pod, whatever the services beside it are called",
      ["KUBERNETES", "STOREFRONT", "REDIS", "SMTP", "DATABASE", "MAIL", "DEMO", "OBS", "UPSTREAM", "NEWSLETTER_WEBHOOK"]
        .flatMap((service) => [
          ...[`${service}_SERVICE_HOST`, `${service}_SERVICE_PORT`, `${service}_SERVICE_PORT_HTTP`, `${service}_PORT`],
          ...["", "_PROTO", "_PORT", "_ADDR"].map((part) => `${service}_PORT_80_TCP${part}`),
        ])
        .join(" "),
    ],
    [
      "that of a CI",
      "CI GITHUB_ACTIONS GITHUB_BASE_REF GITHUB_ENV GITHUB_SHA GITLAB_CI CI_COMMIT_SHA CI_DEFAULT_BRANCH RUNNER_OS RUNNER_TEMP BUILD_URL JOB_URL NODE_NAME",
    ],
    ["that of npm", "INIT_CWD NODE npm_command npm_config_cache npm_lifecycle_event npm_package_name EDITOR COLOR"],
    [
      "that of other programs",
      "APP_PORT API_PORT API_URL BASE_URL SHOP_URL DB_PASSWORD DATABASE_HOST MAIL_TO MAIL_HOST REDIS_URL SENTRY_DSN OTEL_LOGS_EXPORTER OTEL_METRICS_EXPORTER OTEL_PROPAGATORS OTEL_EXPORTER_OTLP_TIMEOUT OTEL_EXPORTER_OTLP_LOGS_ENDPOINT PGHOST PGPASSWORD",
    ],
  ])("%s", (_where, names) => {
    expect(misspelledOf(asVariables(names))).toEqual([]);
  });
});
