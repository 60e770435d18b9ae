import type { Shop } from "../start-shop.ts";

/** The whole gallery, which is the same in every shop. */
let gallery: Promise<{ headers: Headers; html: string }> | undefined;

/**
 * Lets a shop answer with the gallery as it is, but for what other widgets show: the whole takes ten times as long to
 * load.
 * @returns the address of that page
 */
export async function galleryOf(shop: Shop, ...widgets: string[]): Promise<string> {
  gallery ??= loadGallery(shop);
  const { headers, html } = await gallery;
  const address = `${shop.listener}/widgets?only=${widgets}`;
  const page = html.replaceAll(/<section id="([\w-]+)".*?(?=<section id=|<\/main>)/gs, (section, widget) =>
    widgets.includes(widget) ? section : "",
  );
  shop.answer(address, (_request, response) => {
    response.setHeaders(headers).end(page);
  });
  return address;
}

async function loadGallery(shop: Shop) {
  const answer = await fetch(`${shop.listener}/widgets`, { headers: { "Accept-Encoding": "identity" } });
  const headers = new Headers(answer.headers);
  for (const name of ["Connection", "Content-Length", "Keep-Alive", "Transfer-Encoding"]) headers.delete(name);
  return { headers, html: await answer.text() };
}
