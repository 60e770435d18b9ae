import node from "@astrojs/node";
import { routes as forward } from "./src/storefront.js";

const routes = { name: "routes", configureServer: ({ middlewares }) => void middlewares.use(forward) };
// A strict policy allows nothing inline, so no file is inlined.
const vite = { plugins: [routes], build: { assetsInlineLimit: 0 } };
export default { output: "server", adapter: node({ mode: "middleware" }), vite };
