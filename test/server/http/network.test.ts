import { expect, it } from "vitest";
import { loggedAddressOf, networkOf, networksOf } from "../../../server/http/network.ts";

it.each([
  ["192.0.2.1", "192.0.2.1"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
])("an IPv4 address is a network of its own, also as IPv6 writes it: %s", (address, network) => {
  expect(networkOf(address)).toBe(network);
});

it("IPv6 addresses of one /64 are one network, those of two are two", () => {
  const first = networkOf("2001:db8:0:1::1");
  expect(networkOf("2001:0DB8::1:ffff:0:0:9")).toBe(first);
  expect(networkOf("2001:db8:0:2::1")).not.toBe(first);
});

it("an IPv6 address is in a /64, and in the /56 and the /48 around it", () => {
  const [own, ...wider] = networksOf("2001:db8:1:2ff::1");
  expect([own, ...wider].map((network) => network?.bits)).toEqual([64, 56, 48]);
  expect(networksOf("2001:db8:1:200::1").slice(1)).toEqual(wider);
  expect(networksOf("2001:db8:1:300::1").slice(2)).toEqual(wider.slice(1));
  expect(networksOf("2001:db8:1:300::1")[1]).not.toEqual(wider[0]);
  expect(networksOf("192.0.2.1")).toEqual([{ name: "192.0.2.1", bits: 32 }]);
});

it.each([undefined, "", "unknown", "192.0.2.1, 192.0.2.2", "192.0.2.256"])(
  "what is no address has none: %s",
  (address) => {
    expect(networkOf(address)).toBeUndefined();
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
  expect(loggedAddressOf(address)).toBe(logged);
});
