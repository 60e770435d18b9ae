import { NextResponse } from "next/server";

// The policy of Next.js's guide, without its blob: and data: for images.
export function proxy(request) {
  const nonce = crypto.randomUUID();
  const policy = `default-src 'self'; script-src 'self' 'nonce-${nonce}' 'strict-dynamic'; style-src 'self' 'nonce-${nonce}'; img-src 'self'; font-src 'self'; object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'; upgrade-insecure-requests`;
  // During development, Next.js puts styles into the page and uses eval.
  const headers = process.env.NODE_ENV === "development" ? {} : { "content-security-policy": policy };
  const forPages = new Headers({ ...Object.fromEntries(request.headers), ...headers, "x-nonce": nonce });
  return NextResponse.next({ headers, request: { headers: forPages } });
}
// The service's pages have their own policy.
export const config = { matcher: ["/", "/about"] };
