import { createProxyMiddleware } from "http-proxy-middleware";

// Unlike proxyRequest, it keeps Host.
const forward = fromNodeMiddleware(createProxyMiddleware({ target: service }));

export default defineEventHandler(async (event) => {
  const { pathname } = getRequestURL(event);
  const routes = await fragments.routes();
  if (routes.some((route) => (route.endsWith("/") ? pathname.startsWith(route) : pathname === route)))
    return forward(event);
});
