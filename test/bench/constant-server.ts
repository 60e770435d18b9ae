import express from "express";
import { settings } from "./settings.ts";

const { PORT, SOURCE } = process.env;
const source = await fetch(String(SOURCE));
if (!source.ok) throw new Error(`${SOURCE} answered ${source.status}`);
const body = Buffer.from(await source.arrayBuffer());

const app = express();
app.disable("x-powered-by");
app.disable("etag");
app.get(settings.path, (_request, response) => {
  response.type("html").send(body);
});
app.listen(Number(PORT), "127.0.0.1");
