import { expect, test, vi } from "vitest";
import { createClock } from "../lib/time.ts";
import { createApi } from "./http.ts";
import { createMediaUrls } from "./media.ts";

const CONTENT = "https://service.example/api/v2/files/7/versions/2/original";

test("with a cookie, every URL is used as it is and nothing is requested", async () => {
  const request = vi.spyOn(globalThis, "fetch");
  const media = createMediaUrls(createApi(), createClock());
  for (const url of [CONTENT, "/media/1.wav", "https://cdn.example/1.wav", "blob:x"]) {
    expect([media.get(url), await media.load(url), await media.findAlternative(url, url), media.needsDownload(url)]).toEqual([url, url, null, false]);
    expect((await media.loadDownload(url)).address).toBe(url);
  }
  expect(request).not.toHaveBeenCalled();
});

test("with a token, addresses are known once the code that finds them has loaded", async () => {
  const api = createApi({ baseUrl: "https://service.example", token: "secret-token" });
  const media = createMediaUrls(api, createClock());
  const elsewhere = "https://cdn.example/1.wav";
  expect([media.get(elsewhere), media.needsDownload(elsewhere)]).toEqual([null, true]);
  expect(await media.load(elsewhere)).toBe(elsewhere);
  expect([media.get(elsewhere), media.needsDownload(elsewhere), media.needsDownload(CONTENT)]).toEqual([elsewhere, false, true]);
});

test("a token that is set later is used from then on", async () => {
  const api = createApi({ baseUrl: "https://service.example" });
  const media = createMediaUrls(api, createClock());
  expect(media.needsDownload(CONTENT)).toBe(false);
  api.setToken("secret-token");
  expect(media.needsDownload(CONTENT)).toBe(true);
});
