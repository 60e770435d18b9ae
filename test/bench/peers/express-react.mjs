/** The first implementation that comes to mind: Express and React's stream of the whole tree for each request. */
import express from "express";
import { renderToPipeableStream } from "react-dom/server";
import props from "./built/footer-props.json" with { type: "json" };
import { wholeFooter } from "./built/whole-footer.js";

express()
  .disable("x-powered-by")
  .get(new URL(process.env.SOURCE).pathname, (_request, response) => {
    const { pipe } = renderToPipeableStream(wholeFooter(props), {
      onShellReady() {
        response.setHeader("Content-Type", "text/html; charset=utf-8");
        pipe(response);
      },
    });
  })
  .listen(Number(process.env.PORT), "127.0.0.1");
