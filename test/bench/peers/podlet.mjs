/** The fragment as a Podium podlet, rendered to a string for each request. */
import Podlet from "@podium/podlet";
import express from "express";
import { renderToString } from "react-dom/server";
import props from "./built/footer-props.json" with { type: "json" };
import { wholeFooter } from "./built/whole-footer.js";

const { PORT, SOURCE } = process.env;
const podlet = new Podlet({
  name: "footer",
  version: "1.0.0",
  pathname: "/",
  content: new URL(SOURCE).pathname,
  development: false,
});

express()
  .disable("x-powered-by")
  .use(podlet.middleware())
  .get(podlet.content(), (_request, response) => {
    response.status(200).podiumSend(renderToString(wholeFooter(props)));
  })
  .get(podlet.manifest(), (_request, response) => {
    response.send(podlet);
  })
  .listen(Number(PORT), "127.0.0.1");
