/** The cost of Express with the service's headers, and one log line like the service's for each answer. */
import express from "express";
import { pino } from "pino";

/** Node sets them itself. */
const ofConnection = ["connection", "date", "keep-alive", "transfer-encoding"];

const { PORT, SOURCE } = process.env;
const source = await fetch(SOURCE);
const body = Buffer.from(await source.arrayBuffer());
const headers = Object.fromEntries([...source.headers].filter(([name]) => !ofConnection.includes(name)));
headers["content-length"] = body.length;
const logger = pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime });

express()
  .disable("x-powered-by")
  .get(new URL(SOURCE).pathname, (request, response) => {
    const started = performance.now();
    response.writeHead(200, headers).end(body);
    logger.info(
      {
        requestId: headers["x-request-id"],
        method: request.method,
        route: request.route.path,
        status: response.statusCode,
        durationMs: Math.round((performance.now() - started) * 10) / 10,
        bytes: body.length,
        site: "DE",
        cache: "hit",
        fragmentState: "fresh",
      },
      "request",
    );
  })
  .listen(Number(PORT), "127.0.0.1");
