/** Its types leave this file out. Without an adapter, the provider warns about this one. */
declare module "oidc-provider/lib/adapters/memory_adapter.js" {
  import type { AdapterFactory } from "oidc-provider";

  export function createMemoryAdapter(clockTolerance: number): AdapterFactory;
}
