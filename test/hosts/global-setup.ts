import { findOrInstall } from "../support/debian-packages.ts";

/** Runs once before the tests of the host pages. Throws if a program that they need can't be installed. */
export function setup(): void {
  findOrInstall("nginx", "-v", "nginx-light");
  findOrInstall("php", "-v", "php-cli");
}
