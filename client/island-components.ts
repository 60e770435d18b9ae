/** Every island by name, loaded when the first of its kind is hydrated; each gets a chunk of its own. */
export const islandComponents = {
  example: async () => (await import("./gallery/Example.tsx")).Example,
  login: async () => (await import("./login/LoginForm.tsx")).LoginForm,
  newsletter: async () => (await import("./newsletter/NewsletterBlock.tsx")).NewsletterBlock,
  playground: async () => (await import("./gallery/Playground.tsx")).Playground,
};

export type IslandName = keyof typeof islandComponents;
