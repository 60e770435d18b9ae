import type { Request } from "express";
import { originalAddress } from "../http/original-address.ts";
import type { Credentials, LoginCaller } from "./login-service.ts";

/** Who makes a request, and what their browser has of the login service. */
export function loginCallerOf(request: Request): LoginCaller {
  return {
    address: originalAddress(request),
    secure: request.secure,
    host: request.host,
    credentials: credentialsOf(request),
  };
}

export function credentialsOf({ cookies }: Request): Credentials {
  return { login: textOf(cookies.login), longterm: textOf(cookies.LongtermToken) };
}

/** The parser makes objects of cookies that look like JSON. */
function textOf(cookie: unknown): string | undefined {
  return typeof cookie === "string" ? cookie : undefined;
}
