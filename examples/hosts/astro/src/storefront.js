import { createFragments } from "@storefront-fragments/client";
import { storefrontRoutes } from "@storefront-fragments/client/express";
import { createProxyMiddleware } from "http-proxy-middleware";

const { FRAGMENTS: service = "http://localhost:3000" } = process.env;
const footer = () => '<footer><a href="/imprint">Impressum</a></footer>';
export const fragments = createFragments({ service, fallback: { footer } });
export const routes = storefrontRoutes(fragments, createProxyMiddleware({ target: service }));
