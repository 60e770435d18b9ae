import { createFragments } from "@storefront-fragments/client";

export const service = process.env.FRAGMENTS ?? "http://localhost:3000";
const footer = () => '<footer><a href="/imprint">Impressum</a></footer>';
// Pages and routes have a module each, but share the copies.
// biome-ignore lint/suspicious/noAssignInExpressions: one value for all modules
export const fragments = (globalThis.fragments ??= createFragments({ service, fallback: { footer } }));
