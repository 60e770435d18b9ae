import { storefrontRoutes } from "@storefront-fragments/client/express";
import { createProxyMiddleware } from "http-proxy-middleware";
import { fragments, service } from "../../../fragments";

// This proxy forwards the header Host, unlike rewrites and fetch.
const answer = storefrontRoutes(fragments, createProxyMiddleware({ target: service }));
export default (req, res) => answer(Object.assign(req, { url: req.url.replace("/api/storefront", "") }), res);
export const config = { api: { bodyParser: false, externalResolver: true } };
