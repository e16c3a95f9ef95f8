import { describe, expect, test } from "vitest";
import { createGuard, GuardError } from "../../../../server/delivery/guard.ts";
import { findUrlIssue, isIncomplete } from "./url-validation.ts";

const STRICT = { isHttpAllowed: false };
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
  "https://8.8.8.8/",
  "https://[2606:4700::1111]/",
])("the form of %s is validated as in the service", (url) => {
  const [clientResult, serviceResult] = checkBoth(url);
  expect(clientResult).toBe(serviceResult);
});

test("http:// is valid if the operator allows it", () => {
  expect(findUrlIssue("http://tools.example/", { isHttpAllowed: true })).toBeNull();
  expect(findUrlIssue("ftp://127.0.0.1/", { isHttpAllowed: true })).toBe("scheme");
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
