/** Downloads with metadata over HTTP: the copy has the values as tags and sounds the same, and the stored file does not change. */
import { parseBuffer } from "music-metadata";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as files from "../../../contract/operations/files.ts";
import * as downloads from "../../../contract/operations/metadata-files.ts";
import * as metadata from "../../../contract/operations/metadata.ts";
import { decode } from "../../media/tagging/copies.fixture.ts";
import { encodeAudio, testSong } from "../../testing/audio.ts";
import { requestUrl } from "../../testing/client.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createFolder, upload } from "../../testing/files.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";

const song = testSong(2, { rate: 48_000 });
const NOTES = Array.from({ length: 38 }, (_, index) => ({ name: `Note ${index}`, type: "text" as const, tag: `Note ${index}` }));

describe.each(ENGINES)("on %s", (engine) => {
  let fixtures: Fixtures;
  let folder: number;
  let values: Record<string, string>;
  beforeAll(async () => {
    fixtures = await createFixtures(engine);
    const { testApp, owner, member, home } = fixtures;
    folder = await createFolder(testApp, member, home.root, "Downloads");
    const fields = [{ name: "Title", type: "text" as const, tag: "title" }, { name: "Code", type: "isrc" as const, tag: "isrc" }, ...NOTES];
    const body = { name: "Release", fields };
    const { data } = (await testApp.call(owner, metadata.createMetadataTemplate, { params: { team_id: home.team }, body })).response;
    // More than one page of Ogg can hold.
    values = Object.fromEntries(data.fields.map(({ id, name }) => [id, name === "Code" ? "GB-ABC-26-00002" : `${name} é `.padEnd(2_000, "x").trim()]));
  }, 60_000);
  afterAll(() => fixtures.testApp.close());

  test.each([
    ["mix.ogg", encodeAudio("vorbis", song, 48_000), "audio/ogg"],
    ["mix.opus", encodeAudio("opus", song, 48_000), "audio/ogg"],
    ["mix.m4a", encodeAudio("m4a", song, 48_000), "audio/mp4"],
    ["mix.wav", encodeAudio("wav16", song, 48_000), "audio/wav"],
  ])("a copy of %s has the values and sounds the same, and the stored file stays", async (name, original, mimeType) => {
    const { testApp, member, guest } = fixtures;
    const file_id = await upload(testApp, member, { parent: folder, name, bytes: original });
    await testApp.call(member, metadata.updateFileMetadata, { params: { file_id }, body: { values } });
    const download = (url: string) => testApp.app.server.inject({ method: "GET", url, headers: guest.headers });
    const reply = await download(requestUrl(downloads.downloadWithMetadata, { params: { file_id } }));
    expect(reply.headers["content-disposition"]).toContain(name);
    expect(reply.rawPayload.length).toBe(Number(reply.headers["content-length"]));
    const { common, native } = await parseBuffer(reply.rawPayload, { mimeType });
    expect(common.title).toMatch(/^Title /);
    expect(common.isrc ?? String(reply.rawPayload.includes("ISRC:GBABC2600002"))).toEqual(name === "mix.wav" ? "true" : ["GBABC2600002"]);
    if (name !== "mix.wav")
      for (const { tag } of NOTES)
        expect(
          Object.values(native)
            .flat()
            .some(({ id, value }) => id.toLowerCase().endsWith(tag.toLowerCase()) && String(value).length > 1_990),
        ).toBe(true);
    expect(await decode(reply.rawPayload)).toEqual(await decode(original));
    if (mimeType === "audio/ogg") {
      const last = reply.rawPayload.lastIndexOf("OggS");
      expect(reply.rawPayload.readUInt32LE(last + 18) + 1).toBe(reply.rawPayload.toString("latin1").split("OggS\0").length - 1);
    }
    expect((await download(requestUrl(files.getContent, { params: { file_id, number: 1, variant: "original" } }))).rawPayload.equals(original)).toBe(true);
  });

  test.each([
    ["lyrics.txt", Buffer.from("la la")],
    ["damaged.opus", encodeAudio("opus", song, 48_000).fill(0, 60, 90)],
  ])("%s is refused with the formats that can have metadata", async (name, bytes) => {
    const { testApp, member, guest } = fixtures;
    const file_id = await upload(testApp, member, { parent: folder, name, bytes });
    await testApp.call(member, metadata.updateFileMetadata, { params: { file_id }, body: { values } });
    const reply = await testApp.callUntyped(guest, downloads.downloadWithMetadata, { params: { file_id } });
    expect(reply.status).toBe(415);
    expect(reply.problem.detail).toContain("Ogg Vorbis, Opus and M4A");
  });
});
