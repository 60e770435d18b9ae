/** What starts the built service, as `npm start` and the image do (test/docs/commands.test.ts). */
export const builtService = [process.execPath, "--max-semi-space-size=8", "dist/server/main.js"] as const;
