import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as metadata from "../../../contract/operations/metadata.ts";
import type { MetadataTemplate } from "../../../contract/metadata-records.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { parseSuggestion } from "./suggestions.ts";

const OPTIONS = [{ id: "a1", name: "Electronic" }];

test.each([
  ["text", " Lina ", "Lina"],
  ["number", "118,5", 118.5],
  ["number", "fast", undefined],
  ["choice", "ELECTRONIC", "a1"],
  ["choice", "Polka", undefined],
  ["isrc", "GBABC2600002", "GB-ABC-26-00002"],
  ["isrc", "none", undefined],
  ["date", "2026-03-02", "2026-03-02"],
  ["date", "2026", undefined],
  ["checkbox", "1", true],
  ["checkbox", "0", undefined],
  ["person", "Mia", undefined],
] as const)("a %s means by %j: %j", (type, text, value) => {
  expect(parseSuggestion({ type, options: OPTIONS }, text)).toBe(value);
});

describe.each(ENGINES)("suggestions on %s", (engine) => {
  let fixtures: Fixtures;
  let template: MetadataTemplate;
  beforeAll(async () => void (fixtures = await createFixtures(engine)), 60_000);
  afterAll(() => fixtures.testApp.close());
  const suggest = async () =>
    (await fixtures.testApp.call(fixtures.member, metadata.getMetadataSuggestions, { params: { file_id: fixtures.home.file } })).response.data.values;

  test("are the tags of the current version for fields with the same tag, but not what the file has already", async () => {
    const { testApp, owner, member, home } = fixtures;
    const fields = [
      { name: "Artist", type: "text" as const, tag: "artist" },
      { name: "Key", type: "text" as const, tag: "key" },
      { name: "Code", type: "isrc" as const, tag: "isrc" },
      { name: "Tempo", type: "number" as const, tag: "bpm" },
      { name: "Title", type: "text" as const },
    ];
    template = (await testApp.call(owner, metadata.createMetadataTemplate, { params: { team_id: home.team }, body: { name: "Tags", fields } })).response.data;
    const [artist, key, code] = template.fields.map(({ id }) => id);
    const annotations = { ARTIST: "Lina & Co", initial_key: ["Am", "C"], isrc: "gbabc2600002", bpm: "steady", title: "Nightdrive" };
    await testApp.database.write((tx) =>
      tx
        .updateTable("file_versions")
        .set({ probe: JSON.stringify({ annotations }) })
        .where("file_id", "=", home.file)
        .execute(),
    );
    expect(await suggest()).toEqual({ [artist!]: "Lina & Co", [key!]: "Am", [code!]: "GB-ABC-26-00002" });
    await testApp.call(member, metadata.updateFileMetadata, { params: { file_id: home.file }, body: { values: { [artist!]: "Lina & Co", [key!]: "Bm" } } });
    expect(await suggest()).toEqual({ [key!]: "Am", [code!]: "GB-ABC-26-00002" });
  });
});
