import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { setChosenConnection } from "../api/connection.ts";
import { completeAddress, findAddressIssue, isUnencrypted, isValidToken, toConnection, tryConnection } from "./connection.ts";

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
  ["file:///srv/service", "scheme"],
  ["data:text/html,x", "scheme"],
  ["https://service.example:8443/a/b/", null],
  ["https://me:secret@service.example", "credentials"],
  ["https://service.example/#a", "query"],
  ["[::1]:3000", "host"],
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
  const withFeatures = (features: unknown) => Response.json({ ...description, data: { ...description.data, features } });
  const problemResponse = () => new Response("{}", { status: 404, headers: { "content-type": "application/problem+json" } });
  const html = (status: number) => new Response("<h1>x</h1>", { status, headers: { "content-type": "text/html" } });

  test.each<[string, (url: string) => Response, string]>([
    ["a web page for everything", () => html(200), "unknown"],
    ["404 pages for everything", () => html(404), "unknown"],
    ["405 for a POST", (url) => (isProbe(url) ? new Response("", { status: 405 }) : html(200)), "unknown"],
    ["404 as JSON for the file", (url) => (isProbe(url) ? Response.json({}, { status: 404 }) : html(404)), "documented"],
    ["404 as an API problem for the file", (url) => (isProbe(url) ? problemResponse() : html(404)), "documented"],
    ["404 without a type for everything", () => new Response(null, { status: 404 }), "possible"],
    ["404 as a text for everything", () => new Response("404 page not found", { status: 404 }), "possible"],
    ["400 for the file", (url) => (isProbe(url) ? Response.json({}, { status: 400 }) : html(404)), "documented"],
    ["500 for its description", (url) => (isProbe(url) ? Response.json({}, { status: 404 }) : new Response("", { status: 500 })), "documented"],
    ["nothing in its description", (url) => (isProbe(url) ? Response.json({}, { status: 404 }) : new Response("")), "documented"],
    ["features of null", (url) => (isProbe(url) ? Response.json({}, { status: 404 }) : withFeatures(null)), "documented"],
    ["features that are numbers", (url) => (isProbe(url) ? Response.json({}, { status: 404 }) : withFeatures([1, 2])), "documented"],
    ["a list for its description", (url) => (isProbe(url) ? Response.json({}, { status: 404 }) : Response.json([1])), "documented"],
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

describe("an empty token field", () => {
  const withUpstream = (upstream: string) => fetchMock.mockImplementation(async () => Response.json({ service_url: "", upstream }));
  beforeEach(() => {
    const values = new Map<string, string>();
    vi.stubGlobal("sessionStorage", {
      getItem: (key: string) => values.get(key) ?? null,
      setItem: (key: string, value: string) => void values.set(key, value),
      removeItem: (key: string) => void values.delete(key),
    });
    withUpstream("");
  });

  test("keeps the token of the same service, however its address is written", async () => {
    setChosenConnection({ baseUrl: "https://one.test/a", token: "kept" }, false);
    for (const address of ["https://one.test/a", "one.test/a/", " HTTPS://ONE.test:443/a "])
      expect(await toConnection(address, " ")).toEqual({ baseUrl: "https://one.test/a", token: "kept" });
    expect(await toConnection("https://one.test/a", " new ")).toEqual({ baseUrl: "https://one.test/a", token: "new" });
  });

  test.each(["https://two.test/a", "http://one.test/a", "https://one.test:8443/a", "https://one.test/b", "https://one.test", "https://one.test.evil.test/a"])(
    "gives %s no token of https://one.test/a",
    async (address) => {
      setChosenConnection({ baseUrl: "https://one.test/a", token: "kept" }, false);
      expect(await toConnection(address, "")).not.toHaveProperty("token");
    },
  );

  test("gives another service behind the same page no token", async () => {
    withUpstream("https://behind.test");
    setChosenConnection({ baseUrl: "", upstream: "https://behind.test", token: "kept" }, false);
    expect(await toConnection("https://behind.test/", "")).toEqual({ baseUrl: "", upstream: "https://behind.test", token: "kept" });
    withUpstream("https://other.test");
    expect(await toConnection("https://page.test", "")).toEqual({ baseUrl: "", upstream: "https://other.test" });
  });
});
