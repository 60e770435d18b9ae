#!/usr/bin/env node
/**
 * The program of the package and the image. Its commands read the same environment as the service.
 *
 *   storefront-fragments --help
 */
import { readFileSync } from "node:fs";
import { isNodeOld, requireNode } from "../process/require-node.mjs";

const words = process.argv.slice(2);
const [command = "--help"] = words;

// On an old Node, `init` still works. The packages of the new shop include the Node that everything else needs.
if (isNodeOld && ["--help", "-h"].includes(command)) {
  process.stdout.write(readFileSync(new URL("help.txt", import.meta.url)));
} else if (isNodeOld && command === "init") {
  const { runInit } = await import("./init-command.ts");
  process.exitCode = await runInit(words);
} else {
  requireNode();
  const { runCommandLine } = await import("./run-command-line.ts");
  process.exitCode = await runCommandLine(words);
}
