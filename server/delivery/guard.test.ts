import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createGuard, GuardError } from "./guard.ts";

const guard = createGuard({ allowHttp: false, allowCidrs: [] });
const reasonOf = (url: string): string => {
  try {
    guard.assertUrlAllowed(url);
    return "allowed";
  } catch (error) {
    return (error as GuardError).reason;
  }
};

describe("canReach", () => {
  test.each(["93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946", "::ffff:93.184.216.34", "64:ff9b::5db8:d822"])(
    "allows the public address %s",
    (address) => {
      expect(guard.canReach(address)).toBe(true);
    },
  );
  test.each([
    "127.0.0.1",
    "127.255.255.254",
    "0.0.0.0",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "192.0.2.1",
    "198.18.0.1",
    "168.63.129.16",
    "::1",
    "::",
    "fe80::1",
    "fe80::1%eth0",
    "fc00::1",
    "ff02::1",
    "::127.0.0.1",
    "::a9fe:a9fe",
    "::8.8.8.8",
    "::ffff:127.0.0.1",
    "::ffff:169.254.169.254",
    "64:ff9b::7f00:1",
    "64:ff9b:1::",
    "64:ff9b:1:a00:0:100:808:808",
    "64:ff9b:1::8.8.8.8",
    "[64:FF9B:1::808:808]",
    "0064:ff9b:0001:0000:0000:0000:0808:0808",
    "64:ff9b:1:ffff:ffff:ffff:ffff:ffff",
    "2002:7f00:1::",
    "2001:db8::1",
    "nonsense",
    "",
  ])("blocks %s", (address) => {
    expect(guard.canReach(address)).toBe(false);
  });
  test("blocks private IPv4 addresses in every IPv6 notation", () => {
    const private4 = fc.oneof(
      fc.tuple(fc.constant(10), fc.nat(255), fc.nat(255), fc.nat(255)),
      fc.tuple(fc.constant(127), fc.nat(255), fc.nat(255), fc.nat(255)),
      fc.tuple(fc.constant(192), fc.constant(168), fc.nat(255), fc.nat(255)),
      fc.tuple(fc.constant(169), fc.constant(254), fc.nat(255), fc.nat(255)),
    );
    const hex = (high: number, low: number) => ((high << 8) | low).toString(16);
    fc.assert(
      fc.property(private4, ([a, b, c, d]) => {
        for (const text of [
          `${a}.${b}.${c}.${d}`,
          `::${a}.${b}.${c}.${d}`,
          `::ffff:${a}.${b}.${c}.${d}`,
          `64:ff9b::${hex(a, b)}:${hex(c, d)}`,
          `2002:${hex(a, b)}:${hex(c, d)}::1`,
        ])
          expect(guard.canReach(text)).toBe(false);
      }),
    );
  });
  test("blocks every address of a network's own NAT64 (RFC 8215), whichever IPv4 address lies where in it", () => {
    const byte = fc.nat(255);
    // RFC 6052 2.2: where the four bytes of the IPv4 address lie for each length of prefix; byte 8 is always zero.
    const positions = fc.constantFrom([6, 7, 9, 10], [7, 9, 10, 11], [9, 10, 11, 12], [12, 13, 14, 15]);
    const ipv4 = fc.oneof(fc.constantFrom([8, 8, 8, 8], [10, 0, 0, 1], [127, 0, 0, 1], [169, 254, 169, 254]), fc.tuple(byte, byte, byte, byte));
    const rest = fc.array(byte, { minLength: 16, maxLength: 16 });
    const spelling = fc.constantFrom<(groups: string[], bytes: number[]) => string>(
      (groups) => groups.join(":"),
      (groups) => groups.map((group) => group.padStart(4, "0")).join(":"),
      (groups) => groups.join(":").toUpperCase(),
      (groups) => `${groups.join(":")}%eth0`,
      (groups, bytes) => `${groups.slice(0, 6).join(":")}:${bytes.slice(12).join(".")}`,
      (groups) => new URL(`https://[${groups.join(":")}]/`).hostname,
    );
    fc.assert(
      fc.property(positions, ipv4, rest, fc.boolean(), spelling, (at, embedded, filler, isZeroed, spell) => {
        const bytes = [0x00, 0x64, 0xff, 0x9b, 0x00, 0x01, ...filler.slice(6).map((value) => (isZeroed ? 0 : value))];
        at.forEach((position, index) => (bytes[position] = embedded[index] ?? 0));
        const groups = Array.from({ length: 8 }, (_, index) => ((bytes[2 * index]! << 8) | bytes[2 * index + 1]!).toString(16));
        const text = spell(groups, bytes);
        expect(guard.canReach(text)).toBe(false);
        if (!text.includes("%")) expect(reasonOf(`https://${text.startsWith("[") ? text : `[${text}]`}/`)).toBe("address_not_allowed");
      }),
    );
  });
});

describe("webhook URLs", () => {
  test.each([
    ["https://example.com/hook", "allowed"],
    ["https://example.com:8443/hook?x=1", "allowed"],
    ["http://example.com/", "scheme"],
    ["ftp://example.com/", "scheme"],
    ["file:///etc/passwd", "scheme"],
    ["https://user@example.com/", "userinfo"],
    ["https://user:pass@example.com/", "userinfo"],
    ["https://example.com/#x", "fragment"],
    ["https://example.com/#", "fragment"],
    ["not a url", "malformed"],
    ["", "malformed"],
    [`https://example.com/${"a".repeat(2_048)}`, "too_long"],
    ["https://127.0.0.1/", "address_not_allowed"],
    ["https://127.1/", "address_not_allowed"],
    ["https://0x7f000001/", "address_not_allowed"],
    ["https://2130706433/", "address_not_allowed"],
    ["https://１２７.0.0.1/", "address_not_allowed"],
    ["https://[::1]/", "address_not_allowed"],
    ["https://[::ffff:7f00:1]/", "address_not_allowed"],
    ["https://localhost/", "address_not_allowed"],
    ["https://localhost./", "address_not_allowed"],
    ["https://metadata.google.internal/", "address_not_allowed"],
  ])("%s: %s", (url, reason) => {
    expect(reasonOf(url)).toBe(reason);
  });
  test("allows exactly the networks that the operator configured", () => {
    const open = createGuard({ allowHttp: true, allowCidrs: ["127.0.0.0/8", "::1"] });
    expect(open.assertUrlAllowed("http://127.0.0.1:9999/hook").port).toBe("9999");
    expect(open.canReach("::1")).toBe(true);
    expect(open.canReach("10.0.0.1")).toBe(false);
    expect(open.canReach("168.63.129.16")).toBe(false);
    const withNat64 = createGuard({ allowHttp: false, allowCidrs: ["64:ff9b:1:a00::/56"] });
    expect(withNat64.canReach("64:ff9b:1:a00:0:100:808:808")).toBe(true);
    expect(withNat64.canReach("64:ff9b:1:b00:0:100:808:808")).toBe(false);
    expect(open.canReach("64:ff9b:1:a00:0:100:7f00:1")).toBe(false);
    expect(open.canReach("64:ff9b::7f00:1")).toBe(true);
  });
});

test("rejects a name that resolves to a private address when it connects", async () => {
  const error = await new Promise((resolve) => guard.lookup("localhost", {}, resolve));
  expect(error).toBeInstanceOf(GuardError);
});
