import { expect, test } from "vitest";
import { formatAccessibleDuration, formatBadge, formatKey, formatPosition, formatSize, formatTenths, formatUrl, initialsOf } from "./format.ts";

test.each([
  [0, "0:00"],
  [9.99, "0:09"],
  [83.4, "1:23"],
  [59.9999999, "1:00"],
  [3723, "1:02:03"],
  [-1, "0:00"],
  [Number.NaN, "0:00"],
  [Number.POSITIVE_INFINITY, "0:00"],
])("%d s is formatted as %s", (seconds, text) => expect(formatPosition(seconds)).toBe(text));

test.each([
  [83.4, "1:23.4"],
  [0.05, "0:00.0"],
  [59.96, "0:59.9"],
  [3600, "1:00:00.0"],
])("%d s with tenths is formatted as %s", (seconds, text) => expect(formatTenths(seconds)).toBe(text));

test.each([
  [0, "0 seconds"],
  [1, "1 second"],
  [83.4, "1 minute 23 seconds"],
  [3600, "1 hour"],
  [7325, "2 hours 2 minutes 5 seconds"],
])("%d s is read aloud as %s", (seconds, text) => expect(formatAccessibleDuration(seconds)).toBe(text));

test.each([
  [0, "0 bytes"],
  [1, "1 byte"],
  [999, "999 bytes"],
  [1_000, "1 kB"],
  [42_312_000, "42.3 MB"],
  [999_600, "1 MB"],
  [2_000_000_000, "2 GB"],
  [-5, "0 bytes"],
])("%d bytes are formatted as %s", (bytes, text) => {
  expect(formatSize(bytes)).toBe(text);
});

test("formatUrl shows host, path and query", () => {
  expect(formatUrl("https://hooks.distro.example/talkback?k=1")).toBe("hooks.distro.example/talkback?k=1");
  expect(formatUrl("http://127.0.0.1:4000/")).toBe("127.0.0.1:4000");
  expect(formatUrl("not an address")).toBe("not an address");
});

test("a badge stops at 99+", () => {
  expect([1, 99, 100].map(formatBadge)).toEqual(["1", "99", "99+"]);
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
  ["C# minor", "C♯ minor"],
  ["Bb major", "B♭ major"],
  ["Gb major", "F♯ major"],
  ["F# minor", "F♯ minor"],
  ["A minor", "A minor"],
  ["8A", "8A"],
  ["Db", "Db"],
])("key %s is %s", (key, expected) => expect(formatKey(key)).toBe(expected));
