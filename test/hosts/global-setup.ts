import { findOrInstall } from "../support/debian-packages.ts";

/** Runs once before the tests of the host pages; throws when a program that they need can't be installed. */
export function setup(): void {
  findOrInstall("nginx", "-v", "nginx-light");
  findOrInstall("php", "-v", "php-cli");
}
