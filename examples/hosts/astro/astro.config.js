import node from "@astrojs/node";

// A strict policy allows nothing inline.
export default { output: "server", adapter: node({ mode: "middleware" }), vite: { build: { assetsInlineLimit: 0 } } };
