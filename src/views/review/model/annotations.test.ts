import fc from "fast-check";
import { expect, test } from "vitest";
import { annotationsOf } from "./annotations.ts";

test("keys and values in words, empty ones left out", () => {
  expect(annotationsOf('{"title":"Nightdrive","album_artist":"Halden","isrc":"DEA123","date":"","track":4,"cover":null}')).toEqual([
    { name: "Title", value: "Nightdrive" },
    { name: "Album artist", value: "Halden" },
    { name: "ISRC", value: "DEA123" },
    { name: "Track", value: "4" },
  ]);
});
test.each([
  ["", []],
  ["  ", []],
  ["{}", []],
  ["null", []],
  ["mixed by Ana", [{ name: null, value: "mixed by Ana" }]],
  ['{"title": ', [{ name: null, value: '{"title": ' }]],
  [
    '["a", 2]',
    [
      { name: null, value: "a" },
      { name: null, value: "2" },
    ],
  ],
  ['"text"', [{ name: null, value: "text" }]],
  ['{"markers":[{"at":1}]}', [{ name: "Markers", value: '[{"at":1}]' }]],
])("%s", (text, rows) => expect(annotationsOf(text)).toEqual(rows));

test("whatever stands there, it never throws", () => {
  fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => annotationsOf(text).every(({ value }) => typeof value === "string")));
});
