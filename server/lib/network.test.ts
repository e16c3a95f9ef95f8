/** Tests how client addresses are read and grouped. */
import { describe, expect, it } from "vitest";
import { createNetworkMatcher, parseAddress, toRateLimitNetwork, toRateLimitNetworks } from "./network.ts";

describe("client addresses", () => {
  it.each([
    ["198.51.100.8", "198.51.100.8"],
    ["198.51.100.8:40000", "198.51.100.8"],
    ["[2001:db8::1]:443", "2001:db8::1"],
    ["[2001:db8::1]", "2001:db8::1"],
    ["2001:db8::1", "2001:db8::1"],
    ["::ffff:198.51.100.8", "::ffff:198.51.100.8"],
    ["[::ffff:198.51.100.8]:1", "::ffff:198.51.100.8"],
    ["unknown", null],
    ["_hidden:80", null],
    ["198.51.100.8:", null],
    ["198.51.100.8:400000", null],
    ["1.2.3", null],
    ["", null],
    [undefined, null],
  ])("%s is %s", (text, address) => {
    expect(parseAddress(text)).toBe(address);
  });

  it("an address is counted once, however it is written and whatever its port", () => {
    const networks = ["198.51.100.8", "198.51.100.8:1", "198.51.100.8:65535", "::ffff:198.51.100.8", "[::ffff:198.51.100.8]:5"].map(toRateLimitNetwork);
    expect(new Set(networks)).toEqual(new Set(["198.51.100.8"]));
  });

  it("an IPv6 address is grouped by /64, /56 and /48, an IPv4 address by itself", () => {
    expect(toRateLimitNetworks("2001:db8:aaaa:bbcc:1:2:3:4")).toEqual(["2001:db8:aaaa:bbcc::/64", "2001:db8:aaaa:bb00::/56", "2001:db8:aaaa::/48"]);
    expect(toRateLimitNetworks("[2001:db8:aaaa:bbcc::9]:443")).toEqual(toRateLimitNetworks("2001:db8:aaaa:bbcc:ffff::"));
    expect(toRateLimitNetworks("fe80::1%eth0")).toEqual(["fe80::/64", "fe80::/56", "fe80::/48"]);
    expect(toRateLimitNetworks("192.0.2.1")).toEqual(["192.0.2.1"]);
  });

  it.each([
    ["127.0.0.1", true],
    ["127.0.0.1:5000", true],
    ["::ffff:127.0.0.1", true],
    ["10.20.30.40", true],
    ["11.0.0.1", false],
    ["[2001:db8::7]:80", true],
    ["2001:db9::7", false],
    ["192.0.2.9", true],
    ["nonsense", false],
    [undefined, false],
  ])("the networks of our proxies contain %s: %s", (address, isContained) => {
    expect(createNetworkMatcher(["127.0.0.1", "10.0.0.0/8", "2001:db8::/32", "::ffff:192.0.2.0/120"])(address)).toBe(isContained);
  });
});
