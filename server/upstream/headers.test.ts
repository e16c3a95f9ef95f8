import { describe, expect, it } from "vitest";
import { isForwardedPath, parseUpstream } from "./address.ts";
import { createHeaderTranslation } from "./headers.ts";

const PUBLIC_URL = "http://127.0.0.1:4000";
const translationTo = (address: string, publicUrl = PUBLIC_URL) =>
  createHeaderTranslation({
    upstream: parseUpstream(address),
    publicUrl,
    isFromOurPage: (headers) => headers["sec-fetch-site"] === "same-origin" || headers.origin === publicUrl,
  });
const { toUpstream, toBrowser } = translationTo("https://service.example/base");

/** Returns the cookies that a browser sends back after this header, with the attributes of the first one. */
function storeCookie(header: string, translation = translationTo("https://service.example/base")): { pair: string; attributes: string[] } {
  const [, value = ""] = translation.toBrowser(["Set-Cookie", header]).find(([name]) => name === "Set-Cookie") ?? [];
  const [pair = "", ...attributes] = value.split("; ");
  return { pair, attributes };
}

it.each([
  ["/v1/files/get_info", true],
  ["/api/v2/service?a=/../", true],
  ["/api/v2", true],
  ["/v1/a%2Fb", true],
  ["/v10/files", false],
  ["/api/v1/x", false],
  ["/docs", false],
  ["//service.example/v1/x", false],
  ["http://elsewhere.example/v1/x", false],
  ["/v1/../admin", false],
  ["/v1/%2e%2e/admin", false],
  ["/v1/..%2fadmin", false],
  ["/v1/..%5cadmin", false],
  ["/v1/.", false],
  ["/v1/%", false],
])("forwards %s: %s", (url, expected) => expect(isForwardedPath(url)).toBe(expected));

describe("a request", () => {
  it("carries the caller's authorization and everything of the operation, but nothing about this connection, network or page", () => {
    const operation = { authorization: "Bearer x", range: "bytes=0-1", "upload-offset": "3", "idempotency-key": "k", "talkback-account": "7" };
    const connection = { connection: "keep-alive, x-secret", "x-secret": "1", "keep-alive": "5", te: "trailers", "proxy-authorization": "Basic x" };
    const network = { host: "127.0.0.1:4000", referer: `${PUBLIC_URL}/p/1`, "x-forwarded-for": "10.0.0.7", "x-forwarded-proto": "http", forwarded: "for=1" };
    expect(toUpstream({ ...operation, ...connection, ...network }, "GET")).toEqual(operation);
  });

  it("has a body only if the caller sent one", () => {
    expect(toUpstream({ "transfer-encoding": "chunked" }, "DELETE")).toEqual({ "transfer-encoding": "chunked" });
    expect(toUpstream({ "content-length": "5" }, "POST")).toEqual({ "content-length": "5" });
    expect(toUpstream({}, "POST")).toEqual({ "content-length": "0" });
    expect(toUpstream({}, "GET")).toEqual({});
  });

  it("has the other service's origin if it comes from our page, and its own otherwise", () => {
    expect(toUpstream({ origin: PUBLIC_URL, "sec-fetch-site": "same-origin" }, "POST")["origin"]).toBe("https://service.example");
    expect(toUpstream({ origin: "http://evil.example", "sec-fetch-site": "cross-site" }, "POST")["origin"]).toBe("http://evil.example");
  });
});

describe("cookies", () => {
  it("of the other service come back to it under their own names, and no other cookie of this host does", () => {
    for (const name of ["talkback", "__Host-talkback"]) {
      const { pair } = storeCookie(`${name}=secret; Path=/; HttpOnly; Secure; SameSite=Lax`);
      expect(pair).not.toMatch(/^(__Host-)?talkback=/);
      expect(toUpstream({ cookie: `talkback=ours; ${pair}; __Host-talkback=ours; theme=dark` }, "GET")["cookie"]).toBe(`${name}=secret`);
    }
    expect(toUpstream({ cookie: "talkback=ours; __Host-talkback=ours" }, "GET")).not.toHaveProperty("cookie");
  });

  it("of one service are not sent to another one", () => {
    const { pair } = storeCookie("talkback=secret");
    expect(translationTo("https://other.example").toUpstream({ cookie: pair }, "GET")).not.toHaveProperty("cookie");
  });

  it("are limited to this host, hidden from scripts, and secure exactly if we use https", () => {
    const header = "a=b; Domain=service.example; Path=/base; Max-Age=60; Expires=Thu, 01 Jan 2099 00:00:00 GMT; SameSite=None; Secure";
    const attributes = ["Max-Age=60", "Expires=Thu, 01 Jan 2099 00:00:00 GMT", "Path=/", "HttpOnly", "SameSite=Lax"];
    expect(storeCookie(header).attributes).toEqual(attributes);
    const overHttps = storeCookie(header, translationTo("https://service.example/base", "https://talkback.example"));
    expect(overHttps).toEqual({ pair: expect.stringMatching(/^__Host-upstream-/), attributes: [...attributes, "Secure"] });
    expect(storeCookie("a=b; SameSite=Strict").attributes).toContain("SameSite=Strict");
  });

  it("are sent for other pages' reads only, so that the other service's check of the origin cannot be bypassed", () => {
    const { pair: cookie } = storeCookie("talkback=secret");
    const cookieOf = (headers: Record<string, string>, method: string) => toUpstream({ cookie, ...headers }, method)["cookie"];
    expect(cookieOf({ "sec-fetch-site": "same-origin" }, "POST")).toBe("talkback=secret");
    expect(cookieOf({ origin: PUBLIC_URL }, "POST")).toBe("talkback=secret");
    expect(cookieOf({}, "POST")).toBe("talkback=secret");
    expect(cookieOf({ "sec-fetch-site": "none" }, "GET")).toBe("talkback=secret");
    for (const headers of [
      { "sec-fetch-site": "same-site", origin: "http://127.0.0.1:5000" },
      { origin: "http://evil.example" },
      { "sec-fetch-site": "cross-site" },
    ] as Record<string, string>[]) {
      expect(cookieOf(headers, "POST")).toBeUndefined();
      expect(cookieOf({ ...headers, upgrade: "websocket" }, "GET")).toBeUndefined();
    }
  });
});

describe("a response", () => {
  it("keeps its headers except those of the connection and those that would change our origin, and cannot run as a page", () => {
    const headers = toBrowser([
      "ETag",
      "x",
      "Connection",
      "close, X-Hop",
      "X-Hop",
      "1",
      "Transfer-Encoding",
      "chunked",
      "Strict-Transport-Security",
      "max-age=9",
      "Clear-Site-Data",
      '"*"',
    ]);
    expect(headers.slice(0, 1)).toEqual([["ETag", "x"]]);
    expect(Object.fromEntries(headers)).toEqual({
      ETag: "x",
      "Content-Security-Policy": "sandbox; default-src 'none'; frame-ancestors 'none'",
      "X-Content-Type-Options": "nosniff",
    });
  });

  it.each([
    ["https://service.example/base/api/v2/uploads/9", "/api/v2/uploads/9"],
    ["/base/v1/x?y#z", "/v1/x?y#z"],
    ["9", "9"],
    ["?page=2", "?page=2"],
    ["/login", "https://service.example/login"],
    ["https://service.example/login", "https://service.example/login"],
    ["/base/api/v2/../../admin", "https://service.example/base/admin"],
    ["//evil.example/v1/x", "https://evil.example/v1/x"],
    ["https://service.example.evil.example/base/v1/x", "https://service.example.evil.example/base/v1/x"],
    ["https://evil.example/callback?code=1", "https://evil.example/callback?code=1"],
  ])("hands on the location %s as %s", (location, expected) => {
    expect(toBrowser(["Location", location])).toContainEqual(["Location", expected]);
  });
});
