import { useEffect, useState } from "react";
import { fetchChanges, type PreviewState, type ShopChanges } from "../services/preview-service.ts";

/** Finds when the shop of a site changes before and after the previewed moment; nothing until the service has told. */
export function useShopChanges(site: string, { dateTime }: PreviewState): ShopChanges {
  const [changes, setChanges] = useState<ShopChanges>({ previous: undefined, next: undefined });
  const time = dateTime.toString();
  useEffect(() => {
    let current = true;
    void fetchChanges(site, Temporal.Instant.from(time)).then((found) => current && setChanges(found));
    return () => {
      current = false;
    };
  }, [site, time]);
  return changes;
}
