import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createGuard, GuardError } from "../../../../server/delivery/guard.ts";
import { findUrlIssue, isIncomplete } from "./url-validation.ts";

const STRICT = { isHttpAllowed: false, isLocalAllowed: false };
const guard = createGuard({ allowHttp: false, allowCidrs: [] });

/** Returns the service's reason to reject the URL, or null. */
function serviceReason(url: string): string | null {
  try {
    guard.assertUrlAllowed(url);
    return null;
  } catch (error) {
    if (error instanceof GuardError) return error.reason;
    throw error;
  }
}
const SERVICE_REASONS = {
  scheme: "scheme",
  credentials: "userinfo",
  fragment: "fragment",
  tooLong: "too_long",
  malformed: "malformed",
  private: "address_not_allowed",
} as const;
const checkBoth = (url: string) => {
  const issue = findUrlIssue(url, STRICT);
  return [issue && SERVICE_REASONS[issue], serviceReason(url)];
};

test.each([
  "https://tools.example/talkback?key=1",
  "https://tools.example:8443",
  "http://tools.example/",
  "ftp://tools.example/",
  "tools.example/talkback",
  "https://",
  "https://user:pass@tools.example/",
  "https://user@tools.example/",
  "https://tools.example/#part",
  "https://tools.example/#",
  `https://tools.example/${"x".repeat(2_027)}`,
  `https://tools.example/${"x".repeat(2_026)}`,
  "https://localhost/",
  "https://LOCALHOST:8443/",
  "https://printer.local/",
  "https://db.internal./",
  "https://127.0.0.1/",
  "https://127.1/",
  "https://0x7f000001/",
  "https://２１３０７０６４３３/",
  "https://10.1.2.3/",
  "https://172.16.0.1/",
  "https://172.32.0.1/",
  "https://168.63.129.16/",
  "https://192.168.1.1/",
  "https://169.254.169.254/latest/meta-data",
  "https://8.8.8.8/",
  "https://[::1]/",
  "https://[::]/",
  "https://[::127.0.0.1]/",
  "https://[::8.8.8.8]/",
  "https://[::7]/",
  "https://[fe80::1]/",
  "https://[fd00::1]/",
  "https://[ff02::1]/",
  "https://[2606:4700::1111]/",
])("%s is validated as in the service", (url) => {
  const [clientResult, serviceResult] = checkBoth(url);
  expect(clientResult).toBe(serviceResult);
});

test("every IPv4 address is validated as in the service", () => {
  const edges = fc.constantFrom(0, 1, 10, 31, 52, 63, 64, 88, 99, 100, 113, 127, 128, 168, 169, 172, 175, 192, 198, 203, 223, 224, 240, 255);
  const part = fc.oneof(edges, fc.nat(255));
  fc.assert(
    fc.property(fc.tuple(part, part, part, part), (parts) => {
      const [clientResult, serviceResult] = checkBoth(`https://${parts.join(".")}/`);
      expect(clientResult).toBe(serviceResult);
    }),
    { numRuns: 20_000 },
  );
});

test("no IPv6 address that the service accepts is rejected here", () => {
  fc.assert(
    fc.property(fc.ipV6(), (address) => {
      const url = `https://[${address}]/`;
      if (URL.canParse(url) && serviceReason(url) === null) expect(findUrlIssue(url, STRICT)).toBeNull();
    }),
    { numRuns: 5_000 },
  );
});

test("a URL that the operator allows is valid", () => {
  expect(findUrlIssue("http://tools.example/", { isHttpAllowed: true, isLocalAllowed: false })).toBeNull();
  expect(findUrlIssue("http://127.0.0.1:4000/", { isHttpAllowed: true, isLocalAllowed: false })).toBe("private");
  expect(findUrlIssue("http://127.0.0.1:4000/", { isHttpAllowed: true, isLocalAllowed: true })).toBeNull();
  expect(findUrlIssue("ftp://127.0.0.1/", { isHttpAllowed: true, isLocalAllowed: true })).toBe("scheme");
});

describe("while typing", () => {
  test.each(["h", "https:", "https://", "HTTPS://", "https://t", "https://tools", "http://loc", "https://["])(
    "%s is incomplete and shows no error yet",
    (text) => {
      expect(isIncomplete(text)).toBe(true);
    },
  );
  test.each(["x", "tools.example", "ftp://", "https://tools.", "https://localhost", "https://[::1]", "https://tools/", "https://a@"])(
    "%s can be validated",
    (text) => {
      expect(isIncomplete(text)).toBe(false);
    },
  );
});
