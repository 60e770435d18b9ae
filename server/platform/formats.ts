import { statSync } from "node:fs";
import { isIP } from "node:net";
import { isEmail, maxEmailLength, normalizeEmail } from "../../client/rules/email.ts";
import { isName } from "../../client/rules/subscription.ts";
import { isLoopback, parseHostName } from "./host-name.ts";
import { parseTime, timeRule } from "./time.ts";

interface Format {
  validate(value: string): boolean;
  /** The fault, which follows the name of the field. */
  message: string;
}

const upstreamUrl =
  "an address without password, query and dots that lead elsewhere, such as https://gateway.example/login-service";

/** The formats of the schemas, by name. */
export const formats: Readonly<Record<string, Format>> = {
  origin: {
    validate: (value) => /^https?:$/.test(URL.parse(value)?.protocol ?? "") && new URL(value).origin === value,
    message: "must be an origin, such as https://shop.example",
  },
  "upstream-url": { validate: isUpstreamUrl, message: `must be ${upstreamUrl}` },
  "site-upstream-url": {
    validate: (value) => value === "embedded" || isUpstreamUrl(value),
    message: `must be embedded, or ${upstreamUrl}`,
  },
  // The provider's own form is compared with it, so that nothing may be added or left out.
  issuer: {
    validate: (value) => isUpstreamUrl(value) && (value.startsWith("https:") || isLoopback(new URL(value).hostname)),
    message: "must be the issuer of the provider, such as https://login.example/realms/shop; http only on this machine",
  },
  "claim-and-value": {
    validate: (value) => /^[^=\s]+=\S/.test(value),
    message: "must be a claim and its value, such as groups=shop-staff",
  },
  "http-url": {
    validate: (value) => /^https?:\/\/[^/?#,;<>"\s][^?#,;<>"\s]*$/.test(value) && URL.canParse(value),
    message: "must be an address, such as https://cdn.example/assets",
  },
  // After a second @, the rest of a password with an unencoded special character would count as host and path.
  "postgres-url": {
    validate: (value) =>
      /^postgres(ql)?:\/\/([^@/?#\s]*@)?[^@/?#\s,]+(\/[^@/?#\s]*)?(\?[^@?#\s]*)?$/.test(value) &&
      hasKnownOptions(URL.parse(value)),
    message:
      "must be the address of one host, such as postgres://user:password@host/database, special characters percent-encoded; of options it may have sslmode (disable, require, verify-ca, verify-full, no-verify), sslrootcert, sslcert, sslkey, application_name and options",
  },
  // A query isn't allowed, because one of the options in it would print the password.
  "smtp-url": {
    validate: (value) => /^smtps?:\/\/([^@/?#\s]*@)?[^@/?#\s]+$/.test(value) && URL.canParse(value),
    message: "must be an address, such as smtps://user:password@host:465, special characters percent-encoded",
  },
  "secret-list": {
    validate: (list) => list.split(",").every((secret) => /^[\w+/-]{43}=?$/.test(secret.trim())),
    message: "must be secrets of 32 bytes in Base64, comma-separated where there are several",
  },
  // Any other value turns the demo on, which a misspelled "production" must not do.
  "node-env": {
    validate: (value) => value === "production" || !/^prod/i.test(value.trim()),
    message: "must be production where shoppers are served, written like this",
  },
  folder: {
    validate: (value) => statSync(value, { throwIfNoEntry: false })?.isDirectory() ?? false,
    message: "must be an existing folder",
  },
  address: {
    validate: (value) => /^https?:\/\/[^@#\s]+$/.test(value) && URL.canParse(value),
    message: "must be an address without a password, such as http://varnish:80",
  },
  // The length is that of https://www.standardwebhooks.com.
  "webhook-secrets": {
    validate: (list) => list.split(",").every((secret) => /^whsec_[\w+/-]{32,86}={0,2}$/.test(secret.trim())),
    message: "must be whsec_ and 24 to 64 bytes in Base64, comma-separated where there are several",
  },
  token: {
    validate: (value) => /^[!-~]+$/.test(value),
    message: "must be a token without spaces",
  },
  "tag-headers": {
    validate: isTagHeaders,
    message:
      "must be names of headers that carry nothing else, each once, such as Surrogate-Key, Cache-Tag, with commas between",
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
  email: {
    validate: (value) => value.length <= maxEmailLength && isEmail(normalizeEmail(value)),
    message: "must be an email address",
  },
  // https://www.rfc-editor.org/rfc/rfc9116#section-2.5.3
  "security-contact": {
    validate: (value) =>
      /^[!-~]+$/.test(value) &&
      (/^(?:https:\/\/|mailto:|tel:)./.test(value) ? URL.canParse(value) : formats.email?.validate(value) === true),
    message: "must be an email address, or a URI that begins with https:, mailto: or tel:",
  },
  // Browsers send reports by TLS only. The header's value is quoted.
  "report-url": {
    validate: (value) => /^https:\/\/[^\s"'\\;,#@]+$/.test(value) && URL.canParse(value),
    message: "must be an address such as https://reports.example/csp, as browsers report by TLS only",
  },
  "person-name": {
    validate: isName,
    message: "must be a name",
  },
  // Such a text becomes a part of others, in pages, emails and proofs of consent.
  "plain-text": {
    validate: (value) => /^[^\s<>[\]{}](?:[^\n\r\t<>[\]{}]*[^\s<>[\]{}])?$/.test(value) && !/&#?\w+;/.test(value),
    message: "must be plain text on one line, without markup, links and placeholders",
  },
  instant: {
    validate: (value) => parseTime(value) !== undefined,
    message: timeRule,
  },
  "past-instant": {
    validate: (value) => (parseTime(value) ?? Infinity) <= Date.now(),
    message: `${timeRule}, and not in the future`,
  },
  "time-zone": {
    validate: (value) => Intl.supportedValuesOf("timeZone").includes(value),
    message: "must be a time zone, such as Europe/Berlin",
  },
  "host-list": {
    validate: (list) => list.split(",").every((host) => isHostName(host.trim())),
    message: "must be a comma-separated list of hosts without ports, such as shop.test",
  },
  "cidr-list": {
    validate: (list) => list.split(",").every(isCidr),
    message: "must be a comma-separated list of IP addresses or CIDRs",
  },
};

/** A URL that the parser changes, such as one with dot segments, could lead elsewhere. */
function isUpstreamUrl(value: string): boolean {
  return /^https?:\/\/[^@?#]+$/.test(value) && [value, `${value}/`].includes(URL.parse(value)?.href ?? "");
}

/** pg silently ignores libpq's other options. */
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

function isHostName(value: string): boolean {
  return parseHostName(value) === value.toLowerCase();
}

/** Headers that have a meaning of their own in responses of this service. */
const ownHeaders =
  /^(access-control-.*|age|allow|alt-svc|cache-control|cache-status|connection|content-.*|cross-origin-.*|date|etag|expires|keep-alive|last-modified|link|location|origin-agent-cluster|permissions-policy|podlet-version|pragma|referrer-policy|refresh|report(ing-endpoints|-to)|retry-after|server|server-timing|set-cookie|strict-transport-security|trailer|transfer-encoding|upgrade|vary|via|www-authenticate|x-content-type-options|x-fragment-.*|x-frame-options|x-request-id|x-robots-tag)$/;

/** Names are tokens: https://www.rfc-editor.org/rfc/rfc9110#section-5.1 */
function isTagHeaders(list: string): boolean {
  const names = list.split(",").map((name) => name.trim().toLowerCase());
  const isFree = (name: string) => /^[\w!#$%&'*+.^`|~-]+$/.test(name) && !ownHeaders.test(name);
  return names.every(isFree) && new Set(names).size === names.length;
}

/**
 * @param decoded - the pattern of a pair after percent-decoding
 */
function isPairList(list: string, written: RegExp, decoded: RegExp): boolean {
  const pairs = list.split(",").map((pair) => pair.trim());
  try {
    return pairs.every((pair) => written.test(pair) && decoded.test(decodeURIComponent(pair)));
  } catch {
    return false;
  }
}
