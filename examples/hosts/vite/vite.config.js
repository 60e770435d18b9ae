import { createFragments } from "@storefront-fragments/client";

const { FRAGMENTS: target = "http://localhost:3000" } = process.env;
const routes = await createFragments({ service: target }).routes();
const patterns = routes.map((route) => (route.endsWith("/") ? `^${route}` : `^${route}([?]|$)`));
// Without changeOrigin, the proxy forwards the header Host.
const proxy = Object.fromEntries(patterns.map((pattern) => [pattern, { target, changeOrigin: false }]));

export default {
  // /assets/ belongs to the service, so Vite's own files go elsewhere. A strict policy allows nothing inline.
  build: { assetsDir: "files", assetsInlineLimit: 0 },
  server: { proxy },
  preview: { headers: { "Content-Security-Policy": "default-src 'self'; form-action 'self'; base-uri 'none'" } },
};
