import { StorefrontFooter, StorefrontHead } from "@storefront-fragments/client/react";
import { headers } from "next/headers";
import Link from "next/link";
import { fragments } from "../fragments";

const sent = async (name) => (await headers()).get(name);
// biome-ignore format: a line for head and body
export default async ({ children }) => <html lang="de-DE"><head><StorefrontHead fragments={fragments} site="DE" cookie={await sent("cookie")} nonce={await sent("x-nonce")} /></head>
  <body><nav><Link href="/about">Über uns</Link></nav>{children}<StorefrontFooter fragments={fragments} site="DE" cookie={await sent("cookie")} /></body></html>;
