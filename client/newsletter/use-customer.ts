import { type RefObject, useEffect, useEffectEvent, useState } from "react";
import { readCookies } from "../host-page/read-cookies.ts";
import { fetchCustomer, type KnownCustomer } from "../services/fetch-customer.ts";
import { type CustomerField, fillIn } from "./form-values.ts";

export interface Known {
  customer: KnownCustomer;
  /** The fields that were filled in. */
  filled: CustomerField[];
}

/**
 * Fills in what is known of a signed-in customer, once. Nothing is asked for visitors who aren't signed in.
 * @param onFilled - is called when something was filled in
 */
export function useCustomer(form: RefObject<HTMLFormElement | null>, onFilled: () => void) {
  const [known, setKnown] = useState<Known>();

  const take = useEffectEvent((customer: KnownCustomer | undefined) => {
    if (!customer || !form.current) return;
    const filled = fillIn(form.current, customer);
    setKnown({ customer, filled });
    if (filled.length > 0) onFilled();
  });

  useEffect(() => {
    if ("LoginToken" in readCookies(document.cookie)) void fetchCustomer().then((customer) => take(customer));
  }, []);

  return known;
}
