/** Tests the page of the API reference: its policy, and that everything it needs comes from this service. */
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ANONYMOUS } from "../../testing/client.ts";
import { startTestApp, type TestApp } from "../../testing/test-app.ts";

let testApp: TestApp;
beforeAll(async () => void (testApp = await startTestApp("sqlite")), 60_000);
afterAll(() => testApp.close());

const get = (url: string) => testApp.send(ANONYMOUS, { method: "GET", url });

test("the page runs only scripts of this service, and allows style elements with its nonce, which is new each time", async () => {
  const [first, second] = [await get("/docs"), await get("/docs")];
  const nonceOf = ({ headers }: typeof first) => /'nonce-([^']+)'/.exec(String(headers["content-security-policy"]))?.[1] ?? "";
  expect(nonceOf(first)).toMatch(/^[\w+/=]{24}$/);
  expect(nonceOf(first)).not.toBe(nonceOf(second));
  const policy = String(first.headers["content-security-policy"]).split(";");
  expect(policy).toEqual(expect.arrayContaining(["default-src 'none'", "script-src 'self'", "connect-src 'self'", "font-src 'self'"]));
  expect(policy.filter((directive) => directive.includes("unsafe"))).toEqual(["style-src-attr 'unsafe-inline'"]);
  expect(first.text).toContain(nonceOf(first));
  expect(first.headers["cache-control"]).toBe("no-store");
});

test("everything that the page names is served here", async () => {
  const { text } = await get("/docs");
  const urls = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url = ""]) => url);
  expect(urls).toEqual(["/icon.svg", "/docs/style.css", "/docs/viewer.js", "/docs/scalar.js"]);
  // The icon is a file of the client.
  for (const url of urls.slice(1)) expect((await get(url)).status, url).toBe(200);
});

test("the viewer's script comes compressed, and only once to a browser that keeps it", async () => {
  const response = await testApp.app.server.inject({ method: "GET", url: "/docs/scalar.js" });
  expect(response.headers).toMatchObject({ "content-type": "text/javascript; charset=utf-8", "content-encoding": "gzip" });
  const script = gunzipSync(response.rawPayload).toString();
  expect(script).toContain("createApiReference");
  expect(response.rawPayload.length).toBeLessThan(1_600_000);
  const again = await testApp.app.server.inject({ method: "GET", url: "/docs/scalar.js", headers: { "if-none-match": String(response.headers.etag) } });
  expect([again.statusCode, again.rawPayload.length]).toEqual([304, 0]);
});
