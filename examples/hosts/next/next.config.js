import { fragments } from "./fragments.js";

const paths = (await fragments.routes()).map((route) => route.replace(/\/$/, "/:path*"));
export default { rewrites: async () => paths.map((source) => ({ source, destination: `/api/storefront${source}` })) };
