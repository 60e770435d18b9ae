import { createFragments } from "@storefront-fragments/client";
import { createProxyMiddleware } from "http-proxy-middleware";

const { FRAGMENTS: service = "http://localhost:3000" } = process.env;
const footer = () => '<footer><a href="/imprint">Impressum</a></footer>';
export const fragments = createFragments({ service, fallback: { footer } });
const routes = await fragments.routes();
const pathFilter = (path) => routes.some((route) => (route.endsWith("/") ? path.startsWith(route) : path === route));
export const proxy = createProxyMiddleware({ target: service, pathFilter });
