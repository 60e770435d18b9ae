import { Agent } from "undici";

/**
 * Creates the connections to other servers. Import this module dynamically: a service that calls no other server then
 * never loads undici, which takes 7 MB.
 */
export function createAgent(options: Agent.Options): Agent {
  return new Agent(options);
}
