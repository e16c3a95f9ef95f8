import fc from "fast-check";
import { expect, test } from "vitest";
import { parseAnnotations } from "./annotations.ts";

test("keys become readable names, and empty values are omitted", () => {
  expect(parseAnnotations('{"title":"Nightdrive","album_artist":"Halden","isrc":"DEA123","date":"","track":4,"cover":null}')).toEqual([
    { name: "Title", value: "Nightdrive" },
    { name: "Album artist", value: "Halden" },
    { name: "Track", value: "4" },
    { name: "ISRC", value: "DEA123" },
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
  ['{"markers":[{"at":1,"name":"Drop"},{"at":2}]}', [{ name: "Markers", value: "At: 1, Name: Drop\nAt: 2" }]],
  ['{"genre":["House","Techno"]}', [{ name: "Genre", value: "House, Techno" }]],
  [
    '{"zz_top":"1","encoder":"Lavf","title":"Nightdrive"}',
    [
      { name: "Title", value: "Nightdrive" },
      { name: "Encoder", value: "Lavf" },
      { name: "Zz top", value: "1" },
    ],
  ],
  ['{"constructor":"x"}', [{ name: "Constructor", value: "x" }]],
])("parses %s", (text, rows) => expect(parseAnnotations(text)).toEqual(rows));

test("parsing never throws, whatever the text", () => {
  fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => parseAnnotations(text).every(({ value }) => typeof value === "string")));
});
