import { expect, test } from "vitest";
import type { FileMetadata, MetadataField, MetadataFieldType, MetadataValues } from "../../../../contract/metadata-records.ts";
import { countOthers, parseDrafts, sharedValue, toDraft } from "./metadata-edit.ts";

const file = (values: MetadataValues): FileMetadata => ({ object: "file_metadata", file_id: 1, project_id: 1, values, revision: 1 });
const field = (id: number, type: MetadataFieldType): MetadataField => ({
  object: "metadata_field",
  id,
  template_id: 1,
  name: `${type} field`,
  type,
  options: [],
  help: "",
  tag: null,
});

test.each([
  ["all files have the value", [{ 5: "warm" }, { 5: "warm" }], "warm"],
  ["none has one", [{}, { 6: "warm" }], null],
  ["the files differ", [{ 5: "warm" }, { 5: "cold" }], undefined],
  ["one of them has none", [{ 5: "warm" }, {}], undefined],
  ["the first one has none", [{}, { 5: "warm" }], undefined],
] as const)("what files share if %s", (_, values, shared) => {
  expect(sharedValue(values.map(file), 5)).toBe(shared);
});

test("a change counts the files that have another value", () => {
  const files = [{ 5: "warm" }, { 5: "cold" }, {}].map((values) => file(values as MetadataValues));
  expect([countOthers(files, 5, "warm"), countOthers(files, 5, null)]).toEqual([2, 2]);
});

test.each([
  ["the same text", "text", "warm", { text: "warm", value: null }],
  ["an empty field of files that differ", "text", undefined, { text: "", value: null }],
  ["an empty field of files without a value", "number", null, { text: "", value: null }],
  ["the same choice", "choice", "a1", { text: "", value: "a1" }],
  ["no choice where there was none", "checkbox", null, { text: "", value: null }],
] as const)("%s changes nothing", (_, type, shared, entered) => {
  expect(toDraft(field(5, type), shared, entered)).toBeUndefined();
});

test.each([
  ["an emptied text", "text", "warm", { text: "", value: null }],
  ["no choice where the files differ", "choice", undefined, { text: "", value: null }],
  ["text where the files differ", "text", undefined, { text: "warm", value: null }],
] as const)("%s is a draft", (_, type, shared, entered) => {
  expect(toDraft(field(5, type), shared, entered)).toEqual(entered);
});

test("only drafts become changes, and what does not fit its field is an issue", () => {
  const fields = [field(5, "number"), field(6, "text"), field(7, "choice"), field(8, "text"), field(9, "number")];
  const drafts = new Map([
    [5, { text: "2,5", value: null }],
    [6, { text: " ", value: null }],
    [7, { text: "", value: "a1" }],
    [9, { text: "two", value: null }],
  ]);
  expect(parseDrafts(fields, drafts)).toEqual({ values: { 5: 2.5, 6: null, 7: "a1" }, issues: new Map([[9, "Enter a number."]]) });
});
