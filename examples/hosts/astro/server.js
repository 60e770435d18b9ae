import express from "express";
import { handler } from "./dist/server/entry.mjs";
import { routes } from "./src/storefront.js";

express().use(routes, express.static("dist/client"), handler).listen(Number(process.env.PORT), "127.0.0.1");
