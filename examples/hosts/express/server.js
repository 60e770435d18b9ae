import { createFragments } from "@storefront-fragments/client";
import { storefront } from "@storefront-fragments/client/express";
import express from "express";
import helmet from "helmet";

const { PORT = "8080", FRAGMENTS = "http://localhost:3000" } = process.env;
const fragments = createFragments({
  service: FRAGMENTS,
  fallback: { footer: () => '<footer><a href="/imprint">Impressum</a></footer>' },
});
const policy = { useDefaults: false, directives: { defaultSrc: ["'none'"] } };

express()
  .set("view engine", "ejs")
  .use(helmet({ contentSecurityPolicy: policy }), storefront(fragments, { site: "DE" }))
  .get("/", (_request, response) => response.render("page", { title: "Start", ...response.locals.storefront }))
  .get("/about", (_request, response) => response.render("page", { title: "Über uns", ...response.locals.storefront }))
  .listen(Number(PORT), "127.0.0.1");
