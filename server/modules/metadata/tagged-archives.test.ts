/** Zips with metadata: audio files have it as tags and sound the same, all others are as they are stored, and a text names those that should have it. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseBuffer } from "music-metadata";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LIMITS } from "../../../contract/limits.ts";
import * as downloads from "../../../contract/operations/metadata-files.ts";
import * as metadata from "../../../contract/operations/metadata.ts";
import type { MetadataTemplate } from "../../../contract/metadata-records.ts";
import { decode } from "../../media/tagging/copies.fixture.ts";
import { encodeAudio, testSong } from "../../testing/audio.ts";
import { requestUrl } from "../../testing/client.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createFolder, upload } from "../../testing/files.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { createMetadataTemplate, fieldOf } from "../../testing/metadata.ts";
import { openZip } from "../../testing/unzip.ts";

const LIST = "Files without metadata.txt";
const song = testSong(1, { rate: 48_000 });
const SOUNDS = { "mix.wav": encodeAudio("wav16", song, 48_000), "mix.opus": encodeAudio("opus", song, 48_000), "mix.m4a": encodeAudio("m4a", song, 48_000) };

describe.each(ENGINES)("on %s", (engine) => {
  let fixtures: Fixtures;
  let template: MetadataTemplate;
  let album: number;
  const temporary = mkdtempSync(join(tmpdir(), "talkback-tagged-zip-"));
  const add = async (parent: number, name: string, bytes: Buffer, notes?: string): Promise<number> => {
    const { testApp, member } = fixtures;
    const file_id = await upload(testApp, member, { parent, name, bytes });
    const values = { [fieldOf(template, "Notes").id]: notes ?? "", [fieldOf(template, "ISRC").id]: "GB-ABC-26-00002" };
    if (notes !== undefined) await testApp.call(member, metadata.updateFileMetadata, { params: { file_id }, body: { values } });
    return file_id;
  };
  async function download(ids: readonly number[]) {
    const url = requestUrl(downloads.getArchiveWithMetadata, { query: { ids: ids.join(",") } });
    return fixtures.testApp.app.server.inject({ method: "GET", url, headers: fixtures.guest.headers });
  }
  async function unzip(ids: readonly number[]): Promise<Map<string, Buffer>> {
    const { statusCode, headers, rawPayload } = await download(ids);
    expect([statusCode, Number(headers["content-length"])]).toEqual([200, rawPayload.length]);
    const path = join(temporary, "all.zip");
    writeFileSync(path, rawPayload);
    const { entries, close } = openZip(path);
    const files = new Map(entries.flatMap((entry) => (entry.isFolder ? [] : [[entry.path, entry.read()]])));
    close();
    return files;
  }

  beforeAll(async () => {
    fixtures = await createFixtures(engine);
    const { testApp, member, home } = fixtures;
    template = await createMetadataTemplate(fixtures);
    album = await createFolder(testApp, member, home.root, "Album");
    const stems = await createFolder(testApp, member, album, "Stems");
    for (const [name, bytes] of Object.entries(SOUNDS)) await add(stems, name, bytes, `warm ${name}`);
    await add(album, "plain.wav", SOUNDS["mix.wav"]);
    await add(album, "lyrics.txt", Buffer.from("la la"), "with values");
    await add(album, "notes.txt", Buffer.from("without values"));
    await add(stems, "damaged.wav", SOUNDS["mix.wav"].subarray(0, 5_000), "with values");
  }, 60_000);
  afterAll(async () => {
    await fixtures.testApp.close();
    rmSync(temporary, { recursive: true });
  });

  test("audio has its metadata, everything else is as it is stored, and what should have it is named", async () => {
    const files = await unzip([album]);
    for (const [name, original] of Object.entries(SOUNDS)) {
      const bytes = files.get(`Album/Stems/${name}`) ?? Buffer.alloc(0);
      const { common } = await parseBuffer(bytes);
      expect([name, JSON.stringify(common.comment)]).toEqual([name, expect.stringContaining(`warm ${name}`)]);
      expect(await decode(bytes)).toEqual(await decode(original));
    }
    expect(files.get("Album/plain.wav")?.equals(SOUNDS["mix.wav"])).toBe(true);
    expect(files.get("Album/lyrics.txt")?.toString()).toBe("la la");
    expect(files.get("Album/Stems/damaged.wav")?.equals(SOUNDS["mix.wav"].subarray(0, 5_000))).toBe(true);
    const list = files.get(LIST)?.toString() ?? "";
    expect(list).toContain("WAV, AIFF, MP3, FLAC, Ogg Vorbis, Opus and M4A");
    expect(list.split("\r\n").filter((line) => line.startsWith("Album/"))).toEqual(["Album/lyrics.txt", "Album/Stems/damaged.wav"]);
    expect(files.size).toBe(8);
  });

  test("the text has a name of its own, and is left out where every file has its metadata", async () => {
    const { testApp, member, home } = fixtures;
    const parent = await createFolder(testApp, member, home.root, "Names");
    const own = await add(parent, LIST, Buffer.from("mine"), "with values");
    const mix = await add(parent, "mix.wav", SOUNDS["mix.wav"], "warm");
    const files = await unzip([own, mix]);
    expect(files.get(LIST)?.toString()).toBe("mine");
    expect([...files.keys()].filter((name) => name.endsWith(".txt"))).toHaveLength(2);
    expect([...(await unzip([mix])).keys()]).toEqual(["mix.wav"]);
  });

  test("a zip without metadata to write is refused, and so is one with too much of it", async () => {
    const { testApp, member, home } = fixtures;
    const field_id = fieldOf(template, "Notes").id;
    const parent = await createFolder(testApp, member, home.root, "Many");
    const plain = await add(parent, "plain.wav", SOUNDS["mix.wav"]);
    expect((await download([plain])).statusCode).toBe(409);
    const valueOf = (file_id: number, text: string) => ({
      file_id,
      field_id,
      project_id: home.project,
      value: JSON.stringify(text),
      match_text: "",
      sort_number: 0,
      sort_text: "",
      person_id: null,
      updated_by: member.id,
      updated_at: 1,
    });
    const reason = async (id: number) => {
      const { statusCode, body } = await download([id]);
      return [statusCode, (JSON.parse(body) as { detail: string }).detail];
    };
    await testApp.database.write((tx) =>
      tx
        .insertInto("metadata_values")
        .values(valueOf(plain, "x".repeat(8_000_001)))
        .execute(),
    );
    expect(await reason(plain)).toEqual([400, expect.stringContaining("too long together")]);
    await testApp.database.write(async (tx) => {
      await tx.deleteFrom("metadata_values").where("file_id", "=", plain).execute();
      const { id: _, ...original } = await tx.selectFrom("files").selectAll().where("id", "=", plain).executeTakeFirstOrThrow();
      for (let offset = 0; offset <= LIMITS.archive_tagged_files; offset += 91) {
        const names = Array.from({ length: 91 }, (_entry, index) => `copy ${offset + index}.wav`);
        const copies = names.map((name) => ({ ...original, name, name_key: name, order_key: name }));
        const inserted = await tx.insertInto("files").values(copies).returning("id").execute();
        await tx
          .insertInto("metadata_values")
          .values(inserted.map(({ id }) => valueOf(id, "warm")))
          .execute();
      }
    });
    expect(await reason(parent)).toEqual([400, expect.stringContaining("1,000 files with metadata")]);
  });
});
