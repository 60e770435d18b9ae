import { statSync } from "node:fs";
import { isIP } from "node:net";
import { parseTime, timeRule } from "./parse-time.ts";

interface Format {
  validate(value: string): boolean;
  /** What is said of a value that fails, after the name of its field. */
  message: string;
}

/** The formats that the schemas use beside those of JSON Schema, by name. */
export const formats: Readonly<Record<string, Format>> = {
  origin: {
    validate: (value) => /^https?:$/.test(URL.parse(value)?.protocol ?? "") && new URL(value).origin === value,
    message: "must be an origin, such as https://shop.example",
  },
  // What the parser would change, such as dots, could lead elsewhere than it says.
  "upstream-url": {
    validate: (value) =>
      /^https?:\/\/[^@?#]+$/.test(value) && [value, `${value}/`].includes(URL.parse(value)?.href ?? ""),
    message:
      "must be an address without password, query and dots that lead elsewhere, such as https://gateway.example/login-service",
  },
  "http-url": {
    validate: (value) => /^https?:\/\/[^/?#,;<>"\s][^?#,;<>"\s]*$/.test(value) && URL.canParse(value),
    message: "must be an address, such as https://cdn.example/assets",
  },
  // A second @ shows that a special character of the password isn't encoded, whose rest would count as host and path:
  // test/server/env.test.ts
  "postgres-url": {
    validate: (value) =>
      /^postgres(ql)?:\/\/([^@/?#\s]*@)?[^@/?#\s,]+(\/[^@/?#\s]*)?(\?[^@?#\s]*)?$/.test(value) &&
      hasKnownOptions(URL.parse(value)),
    message:
      "must be the address of one host, such as postgres://user:password@host/database, special characters percent-encoded; of options it may have sslmode (disable, require, verify-ca, verify-full, no-verify), sslrootcert, sslcert, sslkey, application_name and options",
  },
  // A query is refused, as one of the options that it could carry prints the password: test/server/env.test.ts
  "smtp-url": {
    validate: (value) => /^smtps?:\/\/([^@/?#\s]*@)?[^@/?#\s]+$/.test(value) && URL.canParse(value),
    message: "must be an address, such as smtps://user:password@host:465, special characters percent-encoded",
  },
  "key-list": {
    validate: (list) => list.split(",").every((key) => /^[\w+/-]{43}=?$/.test(key.trim())),
    message: "must be keys of 32 bytes in Base64, comma-separated where there are several",
  },
  // Anything else means the demo, which nobody wants who has written it another way.
  "node-env": {
    validate: (value) => value === "production" || !/^prod/i.test(value.trim()),
    message: "must be production where shoppers are served, written like this",
  },
  folder: {
    validate: (value) => statSync(value, { throwIfNoEntry: false })?.isDirectory() ?? false,
    message: "must be a folder that is there",
  },
  "purge-url": {
    validate: isAddress,
    message: "must be an address without a password, such as http://varnish:80",
  },
  "webhook-url": {
    validate: isAddress,
    message: "must be an address without a password, such as https://sender.example/newsletter-events",
  },
  // As long as https://www.standardwebhooks.com has it.
  "webhook-secrets": {
    validate: (list) => list.split(",").every((secret) => /^whsec_[\w+/-]{32,86}={0,2}$/.test(secret.trim())),
    message: "must be whsec_ and 24 to 64 bytes in Base64, comma-separated where there are several",
  },
  "collector-url": {
    validate: isAddress,
    message: "must be an address without a password, such as http://collector:4318",
  },
  "header-list": {
    validate: (list) => isPairList(list, /^[\w!#$&'*+.^`|~-]+=[ -:<-~]+$/, /^[ -~]+$/),
    message: "must be headers such as api-key=value, with commas between, special characters percent-encoded",
  },
  "attribute-list": {
    validate: (list) => isPairList(list, /^[^=;]+=[^=;]*$/, /^/),
    message: "must be attributes such as team=shop, with commas between, special characters percent-encoded",
  },
  mailbox: {
    validate: (value) => /^(?:[^<>@\r\n]*<[^\s@,;:<>"]+@[^\s@,;:<>"]+>|[^\s@,;:<>"]+@[^\s@,;:<>"]+)$/.test(value),
    message: "must be a mail address, alone or with a name: Shop <newsletter@shop.example>",
  },
  instant: {
    validate: (value) => parseTime(value) !== undefined,
    message: timeRule,
  },
  "time-zone": {
    validate: (value) => Intl.supportedValuesOf("timeZone").includes(value),
    message: "must be a time zone, such as Europe/Berlin",
  },
  "cidr-list": {
    validate: (list) => list.split(",").every(isCidr),
    message: "must be a comma-separated list of IP addresses or CIDRs",
  },
};

/** What else libpq knows, pg would leave out without a word (test/server/env.test.ts). */
const postgresOptions =
  /^(sslmode=(disable|require|verify-ca|verify-full|no-verify)|(sslrootcert|sslcert|sslkey|application_name|options)=.+)$/s;

function hasKnownOptions(url: URL | null): boolean {
  return url !== null && [...url.searchParams].every(([name, value]) => postgresOptions.test(`${name}=${value}`));
}

function isCidr(entry: string): boolean {
  const [address = "", prefix, ...rest] = entry.trim().split("/");
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  if (prefix === undefined) return true;
  return /^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128);
}

/** @param decoded - what a pair must be once its percent-encoding is undone */
function isPairList(list: string, written: RegExp, decoded: RegExp): boolean {
  const pairs = list.split(",").map((pair) => pair.trim());
  try {
    return pairs.every((pair) => written.test(pair) && decoded.test(decodeURIComponent(pair)));
  } catch {
    return false;
  }
}

function isAddress(value: string): boolean {
  return /^https?:\/\/[^@#\s]+$/.test(value) && URL.canParse(value);
}
