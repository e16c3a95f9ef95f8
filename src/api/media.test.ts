import { afterEach, expect, test, vi } from "vitest";
import { createClock } from "../lib/time.ts";
import { createApi } from "./http.ts";
import { createMediaUrls } from "./media.ts";

const CONTENT = "https://service.example/api/v2/files/7/versions/2/original";

afterEach(() => vi.unstubAllGlobals());

test("with a cookie, every URL is used as it is and nothing is requested", async () => {
  const request = vi.spyOn(globalThis, "fetch");
  const media = createMediaUrls(createApi(), createClock());
  for (const url of [CONTENT, "/media/1.wav", "https://cdn.example/1.wav", "blob:x"]) {
    expect([media.get(url), await media.load(url), await media.findAlternative(url, url), media.needsDownload(url)]).toEqual([url, url, null, false]);
    expect((await media.loadDownload(url)).address).toBe(url);
  }
  expect(request).not.toHaveBeenCalled();
});

test("with a token, URLs of other hosts are used as they are, and those of the service once the code that finds their addresses has loaded", async () => {
  vi.stubGlobal("fetch", async () => new Response(null, { status: 404 }));
  const media = createMediaUrls(createApi({ baseUrl: "https://service.example", token: "secret-token" }), createClock());
  const elsewhere = "https://cdn.example/1.wav";
  expect([media.get(elsewhere), media.needsDownload(elsewhere), await media.findAlternative(elsewhere, elsewhere)]).toEqual([elsewhere, false, null]);
  const ofService = "https://service.example/media/1.wav";
  expect([media.get(ofService), media.needsDownload(ofService)]).toEqual([null, true]);
  expect(await media.load(ofService)).toBe(ofService);
  expect(media.get(ofService)).toBe(ofService);
});

test("a token that is set later is used from then on", async () => {
  const api = createApi({ baseUrl: "https://service.example" });
  const media = createMediaUrls(api, createClock());
  expect(media.needsDownload(CONTENT)).toBe(false);
  api.setToken("secret-token");
  expect(media.needsDownload(CONTENT)).toBe(true);
});
