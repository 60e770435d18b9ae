import type { RequestHandler } from "express";

/**
 * Has the browser forget the pages of this origin that it keeps, at a logout: the Back button shows nobody what they
 * said of the one who was signed in. Cookies and storage are left alone, as the shop's own are of the same site, such as
 * a guest's bag; what a logout ends, the service removes itself: https://www.w3.org/TR/clear-site-data/
 */
export function clearCache(): RequestHandler {
  return (_request, response, next) => {
    response.set("Clear-Site-Data", '"cache"');
    next();
  };
}
