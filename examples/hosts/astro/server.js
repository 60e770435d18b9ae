import { createFragments } from "@storefront-fragments/client";
import express from "express";
import { createProxyMiddleware } from "http-proxy-middleware";
import { handler } from "./dist/server/entry.mjs";

const { PORT = "8080", FRAGMENTS = "http://localhost:3000" } = process.env;
const footer = () => '<footer><a href="/imprint">Impressum</a></footer>';
const fragments = createFragments({ service: FRAGMENTS, fallback: { footer } });
const routes = await fragments.routes();
const isOfService = (path) => routes.some((route) => (route.endsWith("/") ? path.startsWith(route) : path === route));
express()
  .use(createProxyMiddleware({ target: FRAGMENTS, pathFilter: isOfService }), express.static("dist/client"))
  .use((request, response, next) => handler(request, response, next, { fragments }))
  .listen(Number(PORT), "127.0.0.1");
