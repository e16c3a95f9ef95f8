import { expect, test } from "vitest";
import { parseUserAgent, pickLanguage } from "./browser.ts";

test.each([
  ["Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36", "Chrome", "Linux"],
  ["Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0 Safari/537.36 Edg/150.0", "Edge", "Windows"],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1",
    "Safari",
    "iPhone",
  ],
  ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox", "macOS"],
  ["Mozilla/5.0 (Linux; Android 16; Pixel 10) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0 Mobile Safari/537.36", "Chrome", "Android"],
  ["curl/8.9", null, null],
])("%s is %s on %s", (userAgent, browser, system) => {
  expect(parseUserAgent(userAgent)).toEqual({ browser, system });
});

test("the language is the reader's variant of English, else British English", () => {
  expect(pickLanguage(["de-DE", "en-US", "en"])).toBe("en-US");
  expect(pickLanguage(["de-DE"])).toBe("en-GB");
  expect(pickLanguage([])).toBe("en-GB");
  expect(pickLanguage(["en-US@posix", "en-US"])).toBe("en-US");
  expect(pickLanguage(["en-US@posix"])).toBe("en-GB");
});
