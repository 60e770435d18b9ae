import { callService } from "./call-service.ts";

/** Asks the service to put the visitor into groups of A/B tests, which it keeps in cookies; the answer says nothing. */
export async function requestAbGroups(): Promise<void> {
  await callService("/service/abtestfrontend/api/v1/getassignment", { priority: "low" });
}
