import { createProxyMiddleware } from "http-proxy-middleware";
import { service } from "../../../fragments";

// Unlike rewrites and fetch, it keeps Host.
export default createProxyMiddleware({ target: service, pathRewrite: { "^/api/storefront": "" } });
export const config = { api: { bodyParser: false, externalResolver: true } };
