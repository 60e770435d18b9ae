import { isIP } from "node:net";
import type { Request } from "express";

/**
 * The network address a service call comes from. A trusted proxy may name it in X-Original-Address, as it may in
 * X-Forwarded-For: a server that calls for a visitor has that visitor's.
 */
export function originalAddress(request: Request): string | undefined {
  const trusts: (address: string | undefined, hop: number) => boolean = request.app.get("trust proxy fn");
  const named = request.get("X-Original-Address")?.trim() ?? "";
  return isIP(named) && trusts(request.socket.remoteAddress, 0) ? named : request.ip;
}
