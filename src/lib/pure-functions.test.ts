import { expect, test } from "vitest";
import { parseUserAgent, pickLanguage } from "./browser.ts";
import { formatBadge, initialsOf } from "./format.ts";
import { hueOf } from "./hue.ts";
import { randomId } from "./random-id.ts";
import { searchItems, matchScore } from "./search.ts";
import { sanitizeNextPath, signInPath, strengthOf } from "./sign-in.ts";

test("hues are in the palette, all of them are used, neighbours differ", () => {
  const hues = Array.from({ length: 24 }, (_, id) => hueOf(id));
  expect(new Set(hues)).toEqual(new Set([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]));
  expect(hues.every((hue, id) => id === 0 || Math.abs(hue - hues[id - 1]!) > 2)).toBe(true);
});

test.each([
  ["Ana Kovač", "AK"],
  ["  ben  van der Okafor ", "BO"],
  ["Cher", "C"],
  ["žofie", "Ž"],
  ["👩‍🎤 Ziggy", "👩‍🎤Z"],
  ["", ""],
])("initials of %j are %j", (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});

test.each([
  [null, "/"],
  ["", "/"],
  ["/projects/3/chat?x=1#y", "/projects/3/chat?x=1#y"],
  ["//evil.example", "/"],
  ["/\\evil.example", "/"],
  ["/\t/evil.example", "/"],
  ["https://evil.example", "/"],
  ["javascript:alert(1)", "/"],
])("after signing in %j leads to %j", (next, path) => {
  expect(sanitizeNextPath(next)).toBe(path);
});

test("the way to sign-in remembers where from, and survives the way back", () => {
  const from = "/projects/3/chat?a=b&c=d";
  const url = new URL(signInPath(from), "https://t.example");
  expect(url.pathname).toBe("/sign-in");
  expect(sanitizeNextPath(url.searchParams.get("next"))).toBe(from);
  expect(signInPath("/")).toBe("/sign-in");
});

test.each([
  ["", "empty"],
  ["short", "short"],
  ["aaaaaaaaaaaaaaaa", "fair"],
  ["121212121212121212", "fair"],
  ["hunterhunter", "fair"],
  ["correct horse", "fair"],
  ["correct horses", "good"],
  ["correct horse battery", "strong"],
  ["🎹🎷🎺🎸🥁🎻🪕🪗🎼🎵🎶", "short"],
])("%j is %s", (password, strength) => {
  expect(strengthOf(password, 12)).toBe(strength);
});

test("search: start before word before middle; case and accents do not matter; all words are needed", () => {
  expect(matchScore("Nightdrive EP", "night")).toBe(3);
  expect(matchScore("Nightdrive EP", "ep")).toBe(2);
  expect(matchScore("Nightdrive EP", "drive")).toBe(1);
  expect(matchScore("Ana Kovač", "kovac")).toBe(2);
  expect(matchScore("Nightdrive EP", "ep night")).toBe(2);
  expect(matchScore("Nightdrive EP", "ep halden")).toBe(0);
  expect(matchScore("sleep ep", "ep")).toBe(2);
  expect(searchItems(["Deep", "EP one", "The EP", "LP"], "ep", (name) => name)).toEqual(["EP one", "The EP", "Deep"]);
  expect(searchItems(["b", "a"], "  ", (name) => name)).toEqual(["b", "a"]);
});

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

test("the language is the reader's English, else British", () => {
  expect(pickLanguage(["de-DE", "en-US", "en"])).toBe("en-US");
  expect(pickLanguage(["de-DE"])).toBe("en-GB");
  expect(pickLanguage([])).toBe("en-GB");
});

test("a badge stops at 99+", () => {
  expect([1, 99, 100].map(formatBadge)).toEqual(["1", "99", "99+"]);
});

test("ids are 128 bits of hex, and not the same twice", () => {
  const ids = Array.from({ length: 100 }, randomId);
  expect(ids.every((id) => /^[0-9a-f]{32}$/.test(id))).toBe(true);
  expect(new Set(ids).size).toBe(100);
});
