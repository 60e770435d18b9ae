import type { Env } from "../../../config/env.ts";
import type { Site } from "../../../sites/countries.ts";
import { createFindings, type Report } from "../findings.ts";
import { type CheckedClient, checkProvider } from "./check-provider.ts";
import { createProviderProbe } from "./provider-probe.ts";

type ProviderEnv = Pick<Env, "identityProviders" | "staffProvider">;

/** The claims that prefill a customer's forms. */
const ofCustomers = ["email", "email_verified", "given_name", "family_name"];

/**
 * Asks every provider of the environment what the service needs of it, and reports what it lacks.
 * @returns undefined if the environment names none
 */
export async function checkProviders(env: ProviderEnv, sites: readonly Site[]): Promise<Report | undefined> {
  const clients = [...listCustomersClients(env, sites), ...listStaffClients(env, sites)];
  if (clients.length === 0) return undefined;
  const findings = createFindings();
  const ask = createProviderProbe(findings);
  for (const client of clients) await checkProvider(client, ask, findings.skip);
  return findings.report("oidc", [...new Set(clients.map(({ issuer }) => issuer))].join(", "));
}

function listCustomersClients({ identityProviders }: ProviderEnv, sites: readonly Site[]): CheckedClient[] {
  const served = sites.flatMap((site) => {
    const provider = identityProviders.get(site.site);
    return provider ? [{ site, provider }] : [];
  });
  const groups = Map.groupBy(served, ({ provider }) => JSON.stringify(provider));
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const codes = group.map(({ site }) => site.site).join(", ");
    return {
      ...first.provider,
      audience: "customers" as const,
      who: group.length < sites.length ? `customers of ${codes}` : "customers",
      secretVariable: "OIDC_CLIENT_SECRET",
      callbacks: group.map(({ site }) => `${site.origin}/login/callback`),
      afterLogout: group.map(({ site }) => `${site.origin}/`),
      claims: ofCustomers,
    };
  });
}

function listStaffClients({ staffProvider }: ProviderEnv, sites: readonly Site[]): CheckedClient[] {
  if (!staffProvider) return [];
  const { claim, acr } = staffProvider.access;
  return [
    {
      ...staffProvider,
      audience: "staff",
      who: "staff",
      secretVariable: "OIDC_STAFF_CLIENT_SECRET",
      callbacks: sites.map(({ origin }) => `${origin}/preview/callback`),
      afterLogout: [],
      claims: [claim, ...(acr === undefined ? [] : ["acr", "amr"])],
      acr,
    },
  ];
}
