/** The islands of the shop by name, each loaded when the first of its kind is hydrated; each gets a chunk of its own. */
export const shopIslands = {
  login: async () => (await import("./login/LoginForm.tsx")).LoginForm,
  newsletter: async () => (await import("./newsletter/NewsletterBlock.tsx")).NewsletterBlock,
};

/** Those of the gallery. */
export const galleryIslands = {
  example: async () => (await import("./gallery/Example.tsx")).Example,
  playground: async () => (await import("./gallery/Playground.tsx")).Playground,
};

export type IslandName = keyof typeof shopIslands | keyof typeof galleryIslands;
