import { callService, csrfHeader } from "./call-service.ts";

/**
 * Asks which e-mail address the shop knows of the visitor.
 * @returns undefined when it knows none, or can't be asked
 */
export async function fetchKnownEmail(): Promise<string | undefined> {
  const address = "/service/customerfrontenddata/api/v1/psdata";
  const { response, body } = await callService(address, {
    cache: "no-store",
    credentials: "include",
    headers: csrfHeader,
  });
  return response.ok && typeof body.email === "string" ? body.email : undefined;
}
