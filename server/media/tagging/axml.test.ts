/** The ISRC in documents of the chunk `axml`: replaced where it is an identifier, and nowhere else. */
import { expect, test } from "vitest";
import { buildAxml } from "./axml.ts";

const wrap = (content: string): string =>
  `\uFEFF<?xml version="1.0"?>\r\n<ebuCoreMain xmlns:dc="d"><coreMetadata>é 😀 ${content}</coreMetadata></ebuCoreMain>\r\n`;
const identifier = (text: string): string => `<identifier formatLabel="ISRC"><dc:identifier>${text}</dc:identifier></identifier>`;

test.each([
  ["is replaced", identifier("ISRC:GBABC2600001"), identifier("ISRC:GBABC2600002")],
  ["is replaced in every form", identifier("\n isrc: GB-ABC-26-00001 \r\n"), identifier("ISRC:GBABC2600002")],
  ["is replaced in each identifier", identifier("isrc: GB-ABC-26-00001").repeat(2), identifier("ISRC:GBABC2600002").repeat(2)],
  ["with character references is replaced", identifier("ISRC&#58;GBABC260000&#x31;"), identifier("ISRC:GBABC2600002")],
  ["in a comment stays", `<!-- ISRC:GBABC2600001 -->${identifier("ISRC:GBABC2600003")}`, `<!-- ISRC:GBABC2600001 -->${identifier("ISRC:GBABC2600002")}`],
  ["in another element stays", "<title>ISRC:GBABC2600001</title>", "<title>ISRC:GBABC2600001</title>"],
  ["in an attribute stays", `<title note="ISRC:GBABC2600001">Mix</title>`, `<title note="ISRC:GBABC2600001">Mix</title>`],
  ["in a longer text stays", identifier("see ISRC:GBABC2600001"), identifier("see ISRC:GBABC2600001")],
  ["of an audio scene, which has none, stays", "<audioFormatExtended/>", "<audioFormatExtended/>"],
  ["in a damaged document stays", `${identifier("ISRC:GBABC2600001")}<open>`, `${identifier("ISRC:GBABC2600001")}<open>`],
  ["of an entity of the file's own stays", identifier("ISRC:&code;"), identifier("ISRC:&code;")],
])("an ISRC that %s", (_title, before, after) => {
  expect(buildAxml(wrap(before), "GBABC2600002")).toBe(wrap(after));
});

test("a new document is one in which the ISRC is found again", () => {
  const created = buildAxml(null, "GBABC2600001");
  expect(created).toContain("<dc:identifier>ISRC:GBABC2600001</dc:identifier>");
  expect(buildAxml(created, "GBABC2600002")).toBe(buildAxml(null, "GBABC2600002"));
});
