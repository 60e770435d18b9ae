/** An implementation of ten lines: Hono, and React's string of the whole tree for each request. */
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { renderToString } from "react-dom/server";
import props from "./built/footer-props.json" with { type: "json" };
import { wholeFooter } from "./built/whole-footer.js";

const app = new Hono().get(new URL(process.env.SOURCE).pathname, (context) =>
  context.html(renderToString(wholeFooter(props))),
);
serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: "127.0.0.1" });
