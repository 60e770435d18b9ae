import { createProxyMiddleware } from "http-proxy-middleware";
import { service } from "../../../fragments";

// Forwards the header Host, unlike rewrites and fetch.
export default createProxyMiddleware({ target: service, pathRewrite: { "^/api/storefront": "" } });
export const config = { api: { bodyParser: false, externalResolver: true } };
