import { createFragments } from "@storefront-fragments/client";

export const service = process.env.FRAGMENTS ?? "http://localhost:3000";
const footer = () => '<footer><a href="/imprint">Impressum</a></footer>';
export const fragments = createFragments({ service, fallback: { footer } });
