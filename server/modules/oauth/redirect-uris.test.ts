import { describe, expect, it } from "vitest";
import { findRedirectIssue, matchesRedirect, consentFormSources, withParameters } from "./redirect-uris.ts";

describe("redirect addresses", () => {
  it.each([
    "https://app.test/callback",
    "https://app.test",
    "https://app.test:8443/a/b?c=d&e=%20@f",
    "https://192.0.2.1/callback",
    "https://[2001:db8::1]/callback",
    "http://127.0.0.1/callback",
    "http://127.0.0.1:4000/callback?a=b",
    "http://[::1]:4000",
    "http://localhost:4000/callback",
  ])("%s can be registered", (uri) => expect(findRedirectIssue(uri)).toBeNull());

  it.each([
    ["http://127.0.0.1/callback", "http://127.0.0.1:49152/callback", true],
    ["http://127.0.0.1:4000/callback", "http://127.0.0.1/callback", true],
    ["http://[::1]/callback", "http://[::1]:49152/callback", true],
    ["http://127.0.0.1:4000", "http://127.0.0.1:5000", true],
    ["http://localhost/", "http://localhost:33418/", true],
    ["http://localhost/callback", "http://127.0.0.1/callback", false],
    ["http://localhost/callback", "http://localhost.evil.test/callback", false],
    ["http://localhost/callback", "http://localhost:80@evil.test/callback", false],
    ["http://127.0.0.1/callback", "http://127.0.0.1:99999/callback", false],
    ["http://127.0.0.1/callback", "http://127.0.0.1:49152/callback/", false],
    ["http://127.0.0.1/callback", "http://127.0.0.1:49152/callback?a=b", false],
    ["http://127.0.0.1/callback", "http://[::1]/callback", false],
    ["http://127.0.0.1/callback", "http://localhost/callback", false],
    ["http://127.0.0.1/callback", "https://127.0.0.1/callback", false],
    ["http://127.0.0.1/callback", "http://127.0.0.1:80@evil.test/callback", false],
    ["http://127.0.0.1/callback", "http://127.0.0.1.evil.test/callback", false],
    ["http://127.0.0.1/callback", "http://127.0.0.1:4000\\@evil.test/callback", false],
    ["https://app.test/callback", "https://app.test:443/callback", false],
    ["https://app.test/callback", "https://app.test:8443/callback", false],
    ["https://app.test/callback", "https://app.test/callback/../other", false],
    ["https://app.test/callback", "https://APP.test/callback", false],
    ["https://app.test/callback", "https://app.test/callback#fragment", false],
    ["https://app.test/callback", "https://app.test.evil.test/callback", false],
  ])("registered %s, requested %s: %s", (registered, requested, matches) => expect(matchesRedirect(registered, requested)).toBe(matches));

  it("keeps the address's own query, and encodes what it adds", () => {
    expect(withParameters("https://app.test/cb", { code: "a b", state: undefined, iss: "https://x.test" })).toBe(
      "https://app.test/cb?code=a+b&iss=https%3A%2F%2Fx.test",
    );
    expect(withParameters("https://app.test/cb?a=%20b", { state: "\r\nLocation: https://evil.test" })).toBe(
      "https://app.test/cb?a=%20b&state=%0D%0ALocation%3A+https%3A%2F%2Fevil.test",
    );
  });

  it("become sources that a Content-Security-Policy can have", () => {
    expect(consentFormSources("https://app.test:8443/callback?a=b")).toBe("https: http://127.0.0.1:* http://localhost:*");
    expect(consentFormSources("http://[::1]:49152/callback")).toBe("https: http:");
  });
});
