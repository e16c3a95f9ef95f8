import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { completeAddress, findAddressIssue, isUnencrypted, isValidToken, tryConnection } from "./connection.ts";

const fetchMock = vi.fn<(url: string, init: RequestInit) => Promise<Response>>();
beforeEach(() => {
  vi.stubGlobal("location", { origin: "https://page.test", href: "https://page.test/connect", protocol: "https:" });
  vi.stubGlobal("fetch", fetchMock);
});
afterEach(() => vi.unstubAllGlobals());

test.each([
  ["service.example", "https://service.example"],
  [" service.example:8443/a ", "https://service.example:8443/a"],
  ["localhost:3000", "http://localhost:3000"],
  ["127.0.0.1:3000", "http://127.0.0.1:3000"],
  ["http://service.example", "http://service.example"],
  ["ftp://service.example", "ftp://service.example"],
  ["", ""],
])("%j becomes %j", (text, address) => expect(completeAddress(text)).toBe(address));

test.each([
  ["https://service.example/a", null],
  ["service.example", null],
  ["localhost:3000", null],
  ["https://page.test", null],
  ["", "malformed"],
  ["service", "malformed"],
  ["https://", "malformed"],
  ["ftp://service.example", "scheme"],
  ["javascript:alert(1)", "scheme"],
  ["https://me@service.example", "credentials"],
  ["https://service.example/?a", "query"],
  ["http://[::1]:3000", "host"],
  ["https://talk_back.example", "host"],
])("the issue of %j is %j", (text, issue) => expect(findAddressIssue(text)).toBe(issue));

test("only http to another machine is unencrypted", () => {
  expect(["http://nas.example", "http://192.0.2.1:3000", "http://localhost:1", "127.0.0.1", "https://nas.example", "nonsense"].map(isUnencrypted)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});

test("a token that no header can carry is invalid", () => {
  expect(["", "tb_pat_x-y.z~", " padded ", "“quoted”", "two words", "line\nbreak"].map(isValidToken)).toEqual([true, true, true, false, false, false]);
});

describe("what is found", () => {
  const description = { object: "service", data: { name: "Talkback", version: "2.0", features: ["chat"], limits: {}, setup_required: false } };
  const isProbe = (url: string) => url.endsWith("/v1/files/get_info");
  const find = (respond: (url: string, init: RequestInit) => Response | Promise<Response>, token?: string) => {
    fetchMock.mockImplementation(async (url, init) => respond(url, init));
    return tryConnection({ baseUrl: "https://other.test", token });
  };
  const html = (status: number) => new Response("<h1>x</h1>", { status, headers: { "content-type": "text/html" } });

  test.each<[string, (url: string) => Response, string]>([
    ["a web page for everything", () => html(200), "unknown"],
    ["404 pages for everything", () => html(404), "unknown"],
    ["405 for a POST", (url) => (isProbe(url) ? new Response("", { status: 405 }) : html(200)), "unknown"],
    ["404 without a page for the file", (url) => (isProbe(url) ? new Response("", { status: 404 }) : html(404)), "documented"],
    ["400 for the file", (url) => (isProbe(url) ? Response.json({}, { status: 400 }) : html(404)), "documented"],
    ["500 for its description", (url) => (isProbe(url) ? Response.json({}, { status: 404 }) : new Response("", { status: 500 })), "documented"],
    ["401 for the file", (url) => (isProbe(url) ? new Response("", { status: 401 }) : html(404)), "token-refused"],
  ])("a server with %s is %s", async (_, respond, kind) => expect(await find(respond, "t")).toEqual({ kind }));

  test("a service that fails for everything", async () => {
    expect(await find(() => new Response("", { status: 503 }))).toEqual({ kind: "failing", status: 503 });
  });

  test("a documented service that needs a token says so", async () => {
    expect(await find((url) => (isProbe(url) ? new Response("", { status: 401 }) : html(404)))).toEqual({ kind: "token-missing" });
  });

  test("a service that describes itself, without a valid token", async () => {
    expect(await find((url) => (url.endsWith("/session") ? new Response("", { status: 401 }) : Response.json(description)), "t")).toEqual({
      kind: "token-refused",
    });
    expect(await find((url) => (url.endsWith("/session") ? new Response("", { status: 403 }) : Response.json(description)), "t")).toEqual({
      kind: "no-access",
    });
    expect(await find(() => Response.json(description))).toEqual({ kind: "token-missing" });
  });

  test("nothing at all, and a server that no page may read", async () => {
    expect(await find(() => Promise.reject(new TypeError("refused")))).toEqual({ kind: "unreachable" });
    expect(await find((_, { mode }) => (mode === "no-cors" ? new Response("") : Promise.reject(new TypeError("CORS"))))).toEqual({ kind: "unreadable" });
  });
});
