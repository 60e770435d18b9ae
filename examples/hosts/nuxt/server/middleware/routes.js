import { createProxyMiddleware } from "http-proxy-middleware";

// Forwards the header Host, unlike proxyRequest.
const forward = fromNodeMiddleware(createProxyMiddleware({ target: service }));

export default defineEventHandler(async (event) => {
  const { pathname } = getRequestURL(event);
  const routes = await fragments.routes();
  if (routes.some((route) => (route.endsWith("/") ? pathname.startsWith(route) : pathname === route)))
    return forward(event);
});
