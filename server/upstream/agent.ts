import { Agent } from "undici";

/**
 * Creates the connections to other servers. Import this module dynamically: a service that calls no other server then
 * never loads undici, which takes 7 MB. The build gives `import("undici")` itself no named exports.
 */
export function createAgent(options: Agent.Options): Agent {
  return new Agent(options);
}
