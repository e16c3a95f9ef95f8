import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createSignedUrl } from "../../contract/operations/files.ts";
import { createClock } from "../lib/time.ts";
import type { Api } from "./http.ts";
import { createTokenMedia } from "./token-media.ts";

const SERVICE = "https://service.example/base";
const TOKEN = "secret-token";
const contentUrl = (variant: string, version = 2) => `${SERVICE}/api/v2/files/7/versions/${version}/${variant}`;
const HOUR = 3_600_000;

let now: number;
let signRequests: { params: unknown; body: unknown }[];
let fetched: { url: string; headers: Record<string, string> }[];
let respond: (url: string, hasToken: boolean) => Response;
let objectUrls: string[];
const clock = { ...createClock(), now: () => now };

beforeEach(() => {
  now = Date.parse("2026-11-20T09:00:00Z");
  signRequests = [];
  fetched = [];
  objectUrls = [];
  respond = () => new Response("bytes", { headers: { "content-type": "audio/wav" } });
  vi.stubGlobal("fetch", async (url: string, { headers = {} }: { headers?: Record<string, string> }) => {
    fetched.push({ url: url, headers });
    return respond(url, headers["authorization"] !== undefined);
  });
});
afterEach(() => vi.unstubAllGlobals());

function createMedia({ signs = true, upstream = "", base = SERVICE, maxBlobBytes = 100 } = {}) {
  const api = {
    hasToken: true,
    address: (path = "/") => base + path,
    serviceUrl: () => upstream || base,
    offers: () => signs,
    accountHeaders: () => ({ authorization: `Bearer ${TOKEN}` }),
    credentials: "omit",
    data: async (_: typeof createSignedUrl, input: { params: { file_id: number }; body: { version: number; variant: string } }) => {
      signRequests.push(input);
      const signed = (variant: string) => `${SERVICE}/api/v2/media/${input.params.file_id}.${input.body.version}.${variant}.${Math.ceil((now + HOUR) / HOUR)}`;
      return {
        url: signed(input.body.variant),
        urls: { original: signed("original"), thumbnail: signed("thumbnail") },
        expires_at: new Date(Math.ceil((now + HOUR) / HOUR) * HOUR).toISOString(),
      };
    },
  } as unknown as Api;
  return createTokenMedia(api, clock, {
    createObjectUrl: (blob) => {
      objectUrls.push(`blob:${objectUrls.length + 1}:${blob.type}`);
      return objectUrls.at(-1)!;
    },
    revokeObjectUrl: (url) => void objectUrls.splice(objectUrls.indexOf(url), 1),
    maxBlobBytes,
  });
}

describe("a service that signs URLs", () => {
  test("is asked once per version, however many views and copies need it, and again shortly before the end", async () => {
    const media = createMedia();
    expect(media.get(contentUrl("thumbnail"))).toBeNull();
    const [first, second] = await Promise.all([media.load(contentUrl("thumbnail")), media.load(contentUrl("original"))]);
    expect(first).toContain("/base/api/v2/media/7.2.thumbnail.");
    expect(second).toContain("/base/api/v2/media/7.2.original.");
    expect(media.get(contentUrl("thumbnail"))).toBe(first);
    expect(signRequests).toEqual([{ params: { file_id: 7 }, body: { version: 2, variant: "thumbnail", expires_in: 3_600 } }]);
    now += HOUR - 30_000;
    expect(media.get(contentUrl("thumbnail"))).toBeNull();
    expect(await media.load(contentUrl("thumbnail"))).not.toBe(first);
    expect(signRequests).toHaveLength(2);
    expect(fetched).toEqual([]);
  });
  test("is asked again for a copy that was not there before, and for an address that fails", async () => {
    const media = createMedia();
    const original = await media.load(contentUrl("original"));
    expect(await media.load(contentUrl("compressed"))).toContain("7.2.compressed");
    expect(signRequests).toHaveLength(2);
    // Signed again within the hour, the address is the same, so there is no other one.
    expect(await media.findAlternative(contentUrl("original"), original)).toBeNull();
    now += HOUR;
    expect(await media.findAlternative(contentUrl("original"), original)).not.toBe(original);
  });
  test("downloads by a signed URL", async () => {
    const { address } = await createMedia().loadDownload(`${contentUrl("original")}?download=1`);
    expect(address).toMatch(/\/media\/7\.2\.original\.\d+\?download=1$/);
  });
});

describe("a service that signs no URLs", () => {
  const url = `${SERVICE}/media/1.wav`;

  const withToken = { authorization: `Bearer ${TOKEN}` };
  const bytes = () => new Response("bytes", { headers: { "content-type": "audio/wav" } });
  const refuseWithoutToken = (status: number) => (_: string, hasToken: boolean) => (hasToken ? bytes() : new Response("", { status }));

  test.each([401, 403, 404])(
    "gets the URL as it is, and the token only after it has refused that with %i; later files use the token at once",
    async (status) => {
      const media = createMedia({ signs: false });
      respond = refuseWithoutToken(status);
      expect([media.get(url), await media.load(url), fetched]).toEqual([url, url, []]);
      const [address, same] = await Promise.all([media.findAlternative(url, url), media.findAlternative(url, url)]);
      expect([address, same, media.get(url)]).toEqual(["blob:1:audio/wav", "blob:1:audio/wav", "blob:1:audio/wav"]);
      expect(fetched).toEqual([
        { url, headers: { range: "bytes=0-0" } },
        { url, headers: withToken },
      ]);
      // Bytes that the element does not understand are not fetched again.
      expect(await media.findAlternative(url, "blob:1:audio/wav")).toBeNull();
      expect(media.get(`${url}2`)).toBeNull();
      expect(await media.load(`${url}2`)).toBe("blob:2:audio/wav");
      expect(signRequests).toEqual([]);
      media.dispose();
      expect(objectUrls).toEqual([]);
    },
  );
  test("a file that the browser cannot play is not fetched, and others are still streamed", async () => {
    const media = createMedia({ signs: false });
    respond = bytes;
    expect(await media.findAlternative(url, url)).toBeNull();
    expect(fetched).toEqual([{ url, headers: { range: "bytes=0-0" } }]);
    expect([media.get(`${url}2`), await media.load(`${url}2`)]).toEqual([`${url}2`, `${url}2`]);
    respond = () => new Response("", { status: 503 });
    await expect(media.findAlternative(url, url)).rejects.toMatchObject({ status: 503 });
  });
  test("a response that the page cannot read without the token decides about one file only", async () => {
    const media = createMedia({ signs: false });
    respond = (_, hasToken) => {
      if (hasToken) return bytes();
      throw new TypeError("Failed to fetch");
    };
    expect(await media.findAlternative(url, url)).toBe("blob:1:audio/wav");
    expect(media.get(`${url}2`)).toBe(`${url}2`);
  });
  test("behind a page that forwards to it, gets the token through that page", async () => {
    const media = createMedia({ signs: false, upstream: SERVICE, base: "http://localhost:3000" });
    expect(media.get(`${url}?a=b`)).toBe(`${url}?a=b`);
    expect(await media.findAlternative(`${url}?a=b`, `${url}?a=b`)).toBe("blob:1:audio/wav");
    expect(fetched).toEqual([{ url: "http://localhost:3000/media/1.wav?a=b", headers: withToken }]);
    expect(await media.findAlternative("https://service.example/other/1.wav", "https://service.example/other/1.wav")).toBeNull();
  });
  test("never gets the token to another origin, whatever the record names", async () => {
    const media = createMedia({ signs: false });
    for (const foreign of ["https://cdn.example/1.wav", "https://service.example.evil/1.wav", "http://service.example/1.wav", "//evil.example/base/1.wav"]) {
      expect([media.get(foreign), await media.findAlternative(foreign, foreign), media.needsDownload(foreign)]).toEqual([foreign, null, false]);
    }
    expect(fetched).toEqual([]);
  });
  test.each([
    ["a declared length", () => new Response("x".repeat(101), { headers: { "content-length": "101" } })],
    ["more bytes than declared", () => new Response("x".repeat(101))],
  ])("does not load more than the page can hold: %s", async (_, response) => {
    const media = createMedia({ signs: false });
    respond = (_url, hasToken) => (hasToken ? response() : new Response("", { status: 401 }));
    await expect(media.findAlternative(url, url)).rejects.toMatchObject({ kind: "too-large" });
    // A download may be larger.
    expect((await media.loadDownload(url)).address).toMatch(/^blob:/);
  });
  test("reports refusals and a missing connection, and keeps no document as such in memory", async () => {
    const media = createMedia({ signs: false });
    respond = () => new Response("", { status: 403 });
    await expect(media.findAlternative(url, url)).rejects.toMatchObject({ kind: "problem", status: 403 });
    respond = () => {
      throw new TypeError("Failed to fetch");
    };
    await expect(media.findAlternative(url, url)).rejects.toMatchObject({ kind: "offline" });
    for (const type of ["text/html", "image/svg+xml", "application/xhtml+xml"]) {
      respond = (_, hasToken) => (hasToken ? new Response("<script>", { headers: { "content-type": type } }) : new Response("", { status: 401 }));
      expect(await media.findAlternative(`${url}?${type}`, `${url}?${type}`)).toMatch(/:application\/octet-stream$/);
    }
  });
});
