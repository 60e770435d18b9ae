/** What Express costs at least: it answers with the bytes of an address, at the same path. */
import express from "express";

const { PORT, SOURCE } = process.env;
const source = await fetch(SOURCE);
const body = Buffer.from(await source.arrayBuffer());
const headers = { "Content-Type": source.headers.get("content-type"), "Content-Length": body.length };

express()
  .disable("x-powered-by")
  .get(new URL(SOURCE).pathname, (_request, response) => {
    response.writeHead(200, headers).end(body);
  })
  .listen(Number(PORT), "127.0.0.1");
