import { readFileSync } from "node:fs";

/** An OpenID provider, and the client that this service is there. */
export interface IdentityProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
}

/** Whom the provider of staff lets into the preview. */
export interface StaffAccess {
  /** The claim that must have the value, or a list with it. */
  claim: string;
  value: string;
  /** What the claim `acr` or `amr` must say of the sign-in; undefined accepts any. */
  acr?: string | undefined;
}

/** The common beginnings of the variables about the provider of customers, and about that of staff. */
type ProviderPrefix = "OIDC" | "OIDC_STAFF";

/** The variables of customers' providers that a site may have of its own, as `<variable>_<SITE>`. */
export const providerVariables = [
  "OIDC_ISSUER",
  "OIDC_CLIENT_ID",
  "OIDC_CLIENT_SECRET",
  "OIDC_CLIENT_SECRET_FILE",
] as const;

/** What identifies a client. A file may hold the secret. */
const parts = [["ISSUER"], ["CLIENT_ID"], ["CLIENT_SECRET", "CLIENT_SECRET_FILE"]] as const;
/** What must be set together: without a group, everybody at the provider of staff could preview. */
const partsOf = { OIDC: parts, OIDC_STAFF: [...parts, ["GROUP"]] } as const;

/**
 * Returns the provider of a site, whose own variables override the common ones.
 * @param site - undefined for a provider of all sites, such as that of staff
 * @returns undefined if there is none, or if its variables are incomplete
 */
export function providerOf(
  set: NodeJS.ProcessEnv,
  prefix: ProviderPrefix,
  site?: string,
): IdentityProvider | undefined {
  const [issuer, clientId, secret] = parts.map((names) => findVariable(set, prefix, names, site));
  if (!issuer || !clientId || !secret) return undefined;
  const clientSecret = secret.name.includes("_FILE") ? readFileSync(secret.value, "utf8").trim() : secret.value;
  return { issuer: issuer.value, clientId: clientId.value, clientSecret };
}

/**
 * Returns the provider of staff.
 * @returns undefined if there is none, or if its variables are incomplete
 */
export function staffProviderOf(set: NodeJS.ProcessEnv): (IdentityProvider & { access: StaffAccess }) | undefined {
  const provider = providerOf(set, "OIDC_STAFF");
  const { OIDC_STAFF_GROUP: group, OIDC_STAFF_ACR: acr } = set;
  if (!provider || !group) return undefined;
  // A value may contain the sign, such as the name of a group in a directory.
  const [claim = ""] = group.split("=", 1);
  return { ...provider, access: { claim, value: group.slice(claim.length + 1), acr } };
}

/** Finds half sets of variables, secrets that can't be read, and sites whose customers would have two logins. */
export function findProviderFaults(set: NodeJS.ProcessEnv, sites: readonly string[]): string[] {
  const faults = [
    ...findHalfSets(set, "OIDC", sites),
    ...findHalfSets(set, "OIDC_STAFF", [undefined]),
    ...findSecretFaults(set, "OIDC", [undefined, ...sites]),
    ...findSecretFaults(set, "OIDC_STAFF", [undefined]),
    ...sites.flatMap((site) => findSecondLogin(set, site)),
    ...findSecondPreview(set),
  ];
  return [...new Set(faults)];
}

/** Finds incomplete sets of variables. A common variable alone is no fault if sites set the others themselves. */
function findHalfSets(
  set: NodeJS.ProcessEnv,
  prefix: ProviderPrefix,
  sites: readonly (string | undefined)[],
): string[] {
  const isUsed = sites.some((site) => findVariable(set, prefix, ["ISSUER"], site));
  const parts = partsOf[prefix];
  return sites.flatMap((site) => {
    const found = parts.map((names) => findVariable(set, prefix, names, site));
    const own = found.find((variable) => variable?.isOwn);
    const others = [...found, findVariable(set, prefix, ["ACR"], site)];
    const present = own ?? (found[0] || !isUsed ? others.find((variable) => variable) : undefined);
    if (!present) return [];
    return parts
      .filter((_names, at) => !found[at])
      .map(([name]) => `/${prefix}_${name}${own ? `_${site}` : ""} is missing beside ${present.name}`);
  });
}

function findSecretFaults(
  set: NodeJS.ProcessEnv,
  prefix: ProviderPrefix,
  sites: readonly (string | undefined)[],
): string[] {
  return sites.flatMap((site) => {
    const [secret, file] = [`${prefix}_CLIENT_SECRET`, `${prefix}_CLIENT_SECRET_FILE`].map((name) =>
      nameFor(name, site),
    );
    const path = set[file ?? ""];
    if (path === undefined) return [];
    if (set[secret ?? ""] !== undefined) return [`/${file} must not be set beside ${secret}`];
    try {
      return /^\S+$/.test(readFileSync(path, "utf8").trim()) ? [] : [`/${file} must be a file with the secret alone`];
    } catch (error) {
      return [`/${file} can't be read (${error instanceof Error ? error.message : String(error)})`];
    }
  });
}

/** Finds a site that has both a provider and a real login service. */
function findSecondLogin(set: NodeJS.ProcessEnv, site: string): string[] {
  const issuer = findVariable(set, "OIDC", ["ISSUER"], site);
  const service = ["UPSTREAM_LOGIN_URL", `UPSTREAM_LOGIN_URL_${site}`].findLast((name) => set[name] !== undefined);
  if (!issuer || !service || set[service] === "embedded") return [];
  return [`/${issuer.name} must not be set beside ${service}: a site's customers sign in at one of them`];
}

/** Finds a provider of staff beside a real preview service. */
function findSecondPreview({ OIDC_STAFF_ISSUER, UPSTREAM_PREVIEW_URL }: NodeJS.ProcessEnv): string[] {
  if (OIDC_STAFF_ISSUER === undefined || UPSTREAM_PREVIEW_URL === undefined) return [];
  return ["/OIDC_STAFF_ISSUER must not be set beside UPSTREAM_PREVIEW_URL: staff sign in at one of them"];
}

/** Finds the variable that counts for a site: its own, or else the common one. */
function findVariable(set: NodeJS.ProcessEnv, prefix: ProviderPrefix, names: readonly string[], site?: string) {
  for (const scope of site === undefined ? [undefined] : [site, undefined])
    for (const part of names) {
      const name = nameFor(`${prefix}_${part}`, scope);
      const value = set[name];
      if (value !== undefined) return { name, value, isOwn: scope !== undefined };
    }
  return undefined;
}

function nameFor(variable: string, site: string | undefined): string {
  return site === undefined ? variable : `${variable}_${site}`;
}
