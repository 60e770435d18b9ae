/**
 * The shop's islands by name. Each is a chunk of its own, which is loaded when a visitor needs the first island of its
 * kind.
 */
export const shopIslands = {
  login: async () => (await import("./features/login/LoginForm.tsx")).LoginForm,
  newsletter: async () => (await import("./features/newsletter/NewsletterBlock.tsx")).NewsletterBlock,
  "staff-login": async () => (await import("./features/preview/StaffLoginForm.tsx")).StaffLoginForm,
};

export const galleryIslands = {
  example: async () => (await import("./features/gallery/Example.tsx")).Example,
};

export type IslandName = keyof typeof shopIslands | keyof typeof galleryIslands;
