import { storefrontRoutes } from "@storefront-fragments/client/express";
import { createProxyMiddleware } from "http-proxy-middleware";

// This proxy forwards the header Host, unlike proxyRequest.
export default fromNodeMiddleware(storefrontRoutes(fragments, createProxyMiddleware({ target: service })));
