import { readFileSync } from "node:fs";
import { parse } from "yaml";

/** A service of deploy/compose/compose.yaml, as far as the tests look at it. */
export interface ComposeService {
  image: string;
  command?: string[];
  environment?: Record<string, string>;
  /** `<source>:<target>`, or `<source>:<target>:ro`. */
  volumes?: string[];
  tmpfs?: string[];
  ports?: string[];
  depends_on?: Record<string, unknown> | string[];
  networks?: { default: { ipv4_address?: string; aliases?: string[] } };
}

export const composeFolder = "deploy/compose";

/** Reads which services there are, by their names. */
export function readCompose(): Record<string, ComposeService> {
  const text = readFileSync(`${composeFolder}/compose.yaml`, "utf8");
  const { services }: { services: Record<string, ComposeService> } = parse(text, { merge: true });
  return services;
}

/** Reads what the image starts, and with which variables, where compose.yaml says nothing else. */
export function readImage(): { command: string[]; environment: Record<string, string> } {
  const text = readFileSync("Dockerfile", "utf8");
  const [, variables = ""] = /^ENV (.+)$/m.exec(text) ?? [];
  const [, command = ""] = /^CMD (\[.+\])$/m.exec(text) ?? [];
  const environment = Object.fromEntries(
    [...variables.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, value]),
  );
  return { command: JSON.parse(command), environment };
}
