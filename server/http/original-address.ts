import { isIP } from "node:net";
import type { Request } from "express";

/**
 * Finds the network address that a service call comes from. A server that calls for a visitor names the visitor's in
 * X-Original-Address; it is believed from a trusted proxy alone, as X-Forwarded-For is
 * (test/server/shop/newsletter/newsletter-routes.test.ts).
 */
export function originalAddress(request: Request): string | undefined {
  const trusts: (address: string | undefined, hop: number) => boolean = request.app.get("trust proxy fn");
  const named = request.get("X-Original-Address")?.trim() ?? "";
  return isIP(named) && trusts(request.socket.remoteAddress, 0) ? named : request.ip;
}
