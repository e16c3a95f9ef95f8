import { expect, test } from "vitest";
import type { FileMetadata, MetadataField, MetadataFieldType, MetadataValues } from "../../../../contract/metadata-records.ts";
import { countOthers, fieldValues, filesAsSeen, filesChangedBy, filesChangedMeanwhile, parseDrafts, sharedValue, toDraft } from "./metadata-edit.ts";
import { describeUndo } from "./use-offer-metadata-undo.ts";

const file = (values: MetadataValues, id = 1): FileMetadata => ({ object: "file_metadata", file_id: id, project_id: 1, values, revision: 1 });
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
  expect(
    sharedValue(
      values.map((one) => file(one)),
      5,
    ),
  ).toBe(shared);
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
  expect(toDraft(field(5, type), shared, { ...entered, replaced: new Map() })).toBeUndefined();
});

test.each([
  ["an emptied text", "text", "warm", { text: "", value: null }],
  ["no choice where the files differ", "choice", undefined, { text: "", value: null }],
  ["text where the files differ", "text", undefined, { text: "warm", value: null }],
] as const)("%s is a draft", (_, type, shared, entered) => {
  const draft = { ...entered, replaced: new Map() };
  expect(toDraft(field(5, type), shared, draft)).toEqual(draft);
});

test("only drafts become changes, and what does not fit its field is an issue", () => {
  const fields = [field(5, "number"), field(6, "text"), field(7, "choice"), field(8, "text"), field(9, "number")];
  const drafts = new Map([
    [5, { text: "2,5", value: null, replaced: new Map() }],
    [6, { text: " ", value: null, replaced: new Map() }],
    [7, { text: "", value: "a1", replaced: new Map() }],
    [9, { text: "two", value: null, replaced: new Map() }],
  ]);
  expect(parseDrafts(fields, drafts)).toEqual({ values: { 5: 2.5, 6: null, 7: "a1" }, issues: new Map([[9, "Enter a number."]]) });
});

test("saving replaces only the values that the person saw when they began to edit the field", () => {
  const seen = [file({ 5: "warm", 6: "x" }, 1), file({ 5: "cold" }, 2), file({ 5: "dull" }, 3), file({}, 4)];
  const draft = { text: "bright", value: null, replaced: fieldValues(seen, 5) };
  // Since then somebody has set the same value in file 2 and others in 3 and 4, and another field of file 1.
  const current = [file({ 5: "warm", 6: "y" }, 1), file({ 5: "bright" }, 2), file({ 5: "soft" }, 3), file({ 5: "soft" }, 4)];
  expect(filesChangedMeanwhile(field(5, "text"), draft, seen)).toEqual([]);
  expect(filesChangedMeanwhile(field(5, "text"), draft, current).map(({ file_id }) => file_id)).toEqual([3, 4]);
  expect(filesAsSeen(current, new Map([[5, draft]]), { 5: "bright" }).map(({ values }) => values)).toEqual([
    { 5: "warm", 6: "y" },
    { 5: "bright" },
    { 5: "dull" },
    {},
  ]);
});

test("files that have the new values already are not changed", () => {
  const before = [file({ 5: "warm", 6: 1 }, 1), file({ 5: "warm" }, 2), file({ 6: 1 }, 3)];
  expect(filesChangedBy(before, { 5: "warm", 6: null }).map(({ file_id }) => file_id)).toEqual([1, 3]);
});

test.each([
  [{ restored: 2, changed: 0, refused: 0, gone: 0 }, "Undone for 2 files."],
  [
    { restored: 1, changed: 1, refused: 0, gone: 2 },
    /^Undone for 1 file\. Someone else changed a value in 1 file; .* 2 files are no longer in this project\.$/,
  ],
  [{ restored: 0, changed: 0, refused: 1, gone: 0 }, "Nothing was undone. In 1 file, a former value can't be set any more."],
])("an undo says what was undone, and what not and why: %j", (result, text) => {
  expect(describeUndo(result)).toEqual(typeof text === "string" ? text : expect.stringMatching(text));
});
