import { expect, it } from "vitest";
import { anonymizeAddress, networksOf } from "../../../server/platform/network.ts";

it("counts an IPv6 address to its /64, /56 and /48, and an IPv4 address to itself", () => {
  const [own, ...wider] = networksOf("2001:db8:1:2ff::1");
  expect([own, ...wider].map((network) => network?.bits)).toEqual([64, 56, 48]);
  expect(networksOf("2001:db8:1:200::1").slice(1)).toEqual(wider);
  expect(networksOf("2001:db8:1:300::1").slice(2)).toEqual(wider.slice(1));
  expect(networksOf("2001:db8:1:300::1")[1]).not.toEqual(wider[0]);
  expect(networksOf("2001:0DB8:1:2ff:ffff:0:0:9")[0]).toEqual(own);
  for (const address of ["192.0.2.1", "::ffff:192.0.2.1"])
    expect(networksOf(address)).toEqual([{ name: "192.0.2.1", bits: 32 }]);
});

it.each([undefined, "", "unknown", "192.0.2.1, 192.0.2.2", "192.0.2.256"])(
  "counts all that is no address as one network: %s",
  (address) => {
    expect(networksOf(address)).toEqual([{ name: "unknown", bits: 32 }]);
  },
);

it.each([
  ["10.1.2.3", "10.1.2.3"],
  ["::ffff:172.18.0.5", "172.18.0.5"],
  ["fd00::5", "fd00::5"],
  ["100.64.3.4", "100.64.3.4"],
  ["8.8.4.4", "8.8.4.0/24"],
  ["2a00:1450:4001:82f::200e", "2a00:1450:4001::/48"],
  ["2002:808:404::1", "6to4"],
  [undefined, "unknown"],
])("the log has an address of an own network in full, and of a public one its network: %s", (address, logged) => {
  expect(anonymizeAddress(address)).toBe(logged);
});
