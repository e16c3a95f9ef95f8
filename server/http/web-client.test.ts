/** Tests what pages may do (resources of their own, one known inline style sheet, the microphone), and which paths show the page. */
import Fastify from "fastify";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createServer } from "./server.ts";
import { addSecurityHeaders, serveClient, STYLE_HASHES } from "./web-client.ts";

async function loadPolicy(publicUrl: string) {
  const app = Fastify();
  addSecurityHeaders(app, publicUrl);
  app.get("/", () => "page");
  const policy = String((await app.inject("/")).headers["content-security-policy"]);
  return new Map(policy.split(";").map((part) => [part.split(" ")[0], part.split(" ").slice(1)]));
}

it("the policy allows scripts, audio and connections only of this service", async () => {
  const policy = await loadPolicy("https://talkback.test");
  expect(policy.get("default-src")).toEqual(["'none'"]);
  for (const name of ["script-src", "connect-src"]) expect(policy.get(name), name).toEqual(["'self'"]);
  // Images and audio may also be blob URLs, for previews before upload.
  for (const name of ["img-src", "media-src"]) expect(policy.get(name), name).toEqual(["'self'", "blob:"]);
  expect([...policy.values()].flat()).not.toContain("'unsafe-inline'");
});

it("the policy allows the style sheet that the installed wavesurfer adds", async () => {
  const source = readFileSync("node_modules/wavesurfer.js/dist/wavesurfer.esm.js", "utf8");
  const start = source.lastIndexOf(">", source.indexOf(":host {")) + 1;
  const text = source.slice(start, source.indexOf("</style>", start));
  const style = text.replaceAll(/\$\{[^}]*\}/g, "128").replaceAll("\\n", "\n");
  expect(STYLE_HASHES.waveform).toBe(hashOf(style));
  expect((await loadPolicy("http://127.0.0.1:3000")).get("style-src")).toEqual(["'self'", ...Object.values(STYLE_HASHES)]);
});

it("the policy allows the style sheet that the installed react-aria adds on iOS", () => {
  const source = readFileSync("node_modules/react-aria/dist/private/overlays/usePreventScroll.mjs", "utf8");
  const [, style = ""] = /textContent = `\n(@layer[^`]*)`\.trim\(\)/.exec(source) ?? [];
  expect(STYLE_HASHES.dialog).toBe(hashOf(style.trim()));
});

it("pages may use the microphone, keep the screen on, and use no other device", async () => {
  const app = Fastify();
  addSecurityHeaders(app, "https://talkback.test");
  app.get("/", () => "page");
  const policy = String((await app.inject("/")).headers["permissions-policy"]).split(", ");
  expect(policy).toEqual(expect.arrayContaining(["microphone=(self)", "camera=()", "geolocation=()", "usb=()", "display-capture=()"]));
  expect(policy.filter((part) => !part.endsWith("=()"))).toEqual(["microphone=(self)", "screen-wake-lock=(self)"]);
});

describe("paths without a route", () => {
  const folder = mkdtempSync(join(tmpdir(), "talkback-client-"));
  writeFileSync(join(folder, "index.html"), "<!doctype html><title>the page</title>");
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([
    ["/", "page"],
    ["/projects/1/chat", "page"],
    ["/readyness", "page"],
    ["/apiary", "page"],
    ["/api", "problem"],
    ["/api/", "problem"],
    ["/api/v2/nothing", "problem"],
    ["/v1", "problem"],
    ["/v1/files/nothing?x=1", "problem"],
    ["/.well-known/security", "problem"],
    ["/health/live", "problem"],
    ["/ready?verbose", "problem"],
    ["/metrics", "problem"],
    ["/docs/nothing", "problem"],
    ["/missing.png", "problem"],
    ["/%61pi/v2/nothing", "problem"],
    ["/api%2fv2%2Fnothing", "problem"],
    ["/%76%31/files/nothing", "problem"],
    ["//api/v2/nothing", "problem"],
    ["/x/../api/v2/nothing", "problem"],
    ["/x/%2e%2e/api", "problem"],
    ["/api%5cv2", "problem"],
    ["/API/v2/nothing", "problem"],
    ["/missing%2epng", "problem"],
    ["/projects/1/caf%C3%A9", "page"],
  ])("GET %s is a %s", async (url, expected) => {
    const app = await createServer({ publicUrl: "http://talkback.test", logLevel: "silent", trustProxy: [] });
    await serveClient(app, { publicUrl: "https://talkback.test", folder });
    const reply = await app.inject(url);
    expect(reply.statusCode).toBe(expected === "page" ? 200 : 404);
    expect(String(reply.headers["content-type"])).toMatch(expected === "page" ? /^text\/html/ : /^application\/problem\+json/);
    await app.close();
  });
});

describe("a page that uses another service", () => {
  const folder = mkdtempSync(join(tmpdir(), "talkback-client-"));
  writeFileSync(join(folder, "index.html"), "<!doctype html><title>the page</title>");
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Returns the sources of each directive, without those of every page. */
  async function loadSources(url: string, { publicUrl = "https://talkback.test", cookie = "", config = "" } = {}) {
    writeFileSync(join(folder, "config.json"), config);
    const app = await createServer({ publicUrl, logLevel: "silent", trustProxy: [] });
    await serveClient(app, { publicUrl, folder });
    const { headers } = await app.inject({ url, headers: cookie ? { cookie } : {} });
    await app.close();
    const policy = new Map(
      String(headers["content-security-policy"])
        .split(";")
        .map((part) => [part.split(" ")[0]!, part.split(" ").slice(1)] as const),
    );
    const added = (name: string) => policy.get(name)!.filter((source) => source !== "'self'" && source !== "blob:");
    expect([policy.get("default-src"), policy.get("script-src"), policy.get("form-action")]).toEqual([["'none'"], ["'self'"], ["'self'"]]);
    return { connect: added("connect-src"), images: added("img-src"), media: added("media-src"), vary: headers["vary"] };
  }
  const none = { connect: [], images: [], media: [] };
  const COOKIE = "__Host-talkback-services";

  it("may connect to and show what config.json names", async () => {
    const other = ["https://other.test"];
    const config = JSON.stringify({ service_url: "https://other.test/service/" });
    expect(await loadSources("/projects/1/chat", { config })).toMatchObject({ connect: [...other, "wss://other.test"], images: ["https:"], media: ["https:"] });
    expect(await loadSources("/v1/files/nothing", { config })).toMatchObject(none);
  });

  it.each(["", "no json", "null", "[]", '{"service_url":7}', '{"service_url":"javascript:alert(1)"}', '{"service_url":"https://[::1]:1/"}'])(
    "stays strict with the config.json %j",
    async (config) => expect(await loadSources("/", { config })).toMatchObject(none),
  );

  it("may connect to and show what the person chose in this browser", async () => {
    const cookie = `a=b; ${COOKIE}=https://one.test|http://127.0.0.1:4000; c=d`;
    expect(await loadSources("/", { cookie })).toEqual({
      connect: ["https://one.test", "http://127.0.0.1:4000", "wss://one.test", "ws://127.0.0.1:4000"],
      // Its files may be on any host.
      images: ["https:", "http://127.0.0.1:4000"],
      media: ["https:", "http://127.0.0.1:4000"],
      vary: expect.stringContaining("Cookie"),
    });
    // Only a page on plain http reads the name that other hosts can set too.
    expect(await loadSources("/", { cookie: "talkback-services=https://one.test" })).toMatchObject(none);
    expect(await loadSources("/", { cookie: "talkback-services=https://one.test", publicUrl: "http://talkback.test" })).toMatchObject({
      images: ["https:", "http:"],
    });
  });

  it.each([
    "*",
    "'unsafe-inline'",
    "https:",
    "data:",
    "https://*.test",
    "https://*",
    "https://one.test/path",
    "https://one.test/",
    "https://me@one.test",
    "https://one.test:443",
    "https://One.test",
    "https://one.test script-src",
    "https://one.test,https://two.test",
    "https://one.test\t'unsafe-inline'",
    "https%3A%2F%2Fone.test",
    "ftp://one.test",
    "ws://one.test",
    "https://[::1]",
    "https://a..b'",
    `https://${"a".repeat(300)}.test`,
  ])("stays strict with the cookie %j", async (value) => expect(await loadSources("/", { cookie: `${COOKIE}=${value}` })).toMatchObject(none));

  it("ends a cookie's value at its semicolon, and uses at most five origins", async () => {
    expect((await loadSources("/", { cookie: `${COOKIE}=https://one.test; script-src *` })).connect).toEqual(["https://one.test", "wss://one.test"]);
    const many = Array.from({ length: 9 }, (_, index) => `https://s${index}.test`);
    expect((await loadSources("/", { cookie: `${COOKIE}=${many.join("|")}` })).connect.slice(0, 6)).toEqual([...many.slice(0, 5), "wss://s0.test"]);
  });

  it("may try any address on the screen that connects to a service, and only there", async () => {
    const loopback = ["http://127.0.0.1:*", "http://localhost:*"];
    for (const url of ["/connect", "/connect/", "/connect?to=x", "/%63onnect"])
      expect(await loadSources(url), url).toMatchObject({ ...none, connect: ["https:", ...loopback] });
    for (const url of ["/", "/connect/more", "/sign-in?next=/connect", "/connected"]) expect(await loadSources(url), url).toMatchObject(none);
    expect(await loadSources("/connect", { publicUrl: "http://talkback.test" })).toMatchObject({ connect: ["https:", "http:"] });
  });
});

const hashOf = (style: string) => `'sha256-${createHash("sha256").update(style).digest("base64")}'`;
