/** Tests that a file's kind is known from the first response on, everywhere, and that no member is empty where a URL belongs. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as chat from "../../../contract/operations/chat.ts";
import * as files from "../../../contract/operations/files.ts";
import * as view from "../../../contract/operations/files-view.ts";
import { writeVideo } from "../../media/testing/video-file.ts";
import { encodeAudio, testSong } from "../../testing/audio.ts";
import { ENGINES } from "../../testing/engines.ts";
import { tusHeaders, upload } from "../../testing/files.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";

const PREVIEWS = ["duration", "stills_url", "thumbnail_url", "thumbnail"];
const KINDS = ["audio", "video", "image", "document"] as const;

describe.each(ENGINES)("the kind of a file on %s", { timeout: 60_000 }, (engine) => {
  let fixtures: Fixtures;
  const contents = {} as Record<(typeof KINDS)[number], Buffer>;
  beforeAll(async () => {
    fixtures = await createFixtures(engine);
    const folder = mkdtempSync(join(tmpdir(), "talkback-kinds-"));
    await writeVideo(join(folder, "v"), { format: "mp4", codec: "libx264", width: 64, height: 48, seconds: 2, sound: "m4a", options: { preset: "ultrafast" } });
    contents.video = readFileSync(join(folder, "v"));
    rmSync(folder, { recursive: true });
    contents.audio = encodeAudio("flac16", testSong(2), 44_100);
    contents.image = await sharp({ create: { width: 30, height: 20, channels: 3, background: "#123456" } })
      .png()
      .toBuffer();
    contents.document = Buffer.from("%PDF-1.7\n");
  }, 60_000);
  afterAll(() => fixtures.testApp.close());

  const attach = async (id: number) => {
    const body = { project_id: fixtures.home.project, body: "", attachment_ids: [id] };
    return (await fixtures.testApp.call(fixtures.member, chat.sendMessage, { body })).response.data.attachments[0]!;
  };
  const getInfo = async (id: number) => (await fixtures.testApp.call(fixtures.member, files.getFileInfo, { body: { file_id: id } })).response;

  test.each(KINDS)("%s is known before anything has processed it, by its content and not by its name", async (kind) => {
    const { testApp, member, home } = fixtures;
    const id = await upload(testApp, member, { parent: home.folder, name: `${kind} by put.bin`, bytes: contents[kind] });
    const { common, file_info } = await getInfo(id);
    expect([common["kind"], file_info.object, common.transcoding_status]).toEqual([kind, `${kind}_file_info`, "waiting"]);
    const listed = (await testApp.call(member, files.listFolder, { body: { file_id: home.folder } })).response.data;
    expect(listed.find((file) => file.id === id)).toMatchObject({ kind });
    const entries = (await testApp.call(member, view.listFiles, { params: { project_id: home.project }, query: { deep: "true", limit: "500" } })).response.data;
    expect(entries.find((entry) => entry.id === id)).toMatchObject({ kind });
    const attachment = await attach(id);
    expect(attachment.kind).toBe(kind);
    for (const record of [attachment, file_info]) {
      const { duration: _, ...urls } = record as Record<string, unknown>;
      for (const name of PREVIEWS.slice(1)) expect(urls, name).not.toHaveProperty(name);
    }
    expect(attachment).not.toHaveProperty("duration");
    const event = await testApp.database.read
      .selectFrom("outbound_events")
      .select("data")
      .where("type", "=", "file.uploaded")
      .orderBy("created_at", "desc")
      .execute();
    expect(event.map(({ data }) => JSON.parse(data) as { id: number; kind: string }).find((data) => data.id === id)).toMatchObject({ kind });

    const metadata = { name: `${kind} by tus.bin`, parent_id: home.folder };
    const headers = { ...tusHeaders(contents[kind].length, metadata), "content-type": "application/offset+octet-stream" };
    const reply = await testApp.send(member, { method: "POST", url: files.createUpload.path, headers, payload: contents[kind] });
    expect((await getInfo((reply.response as { file_id: number }).file_id)).common["kind"]).toBe(kind);
  });

  test("processing keeps the kind and adds the members of previews with their URLs", async () => {
    const { testApp } = fixtures;
    const ids = await Promise.all(
      KINDS.map((kind) => upload(testApp, fixtures.member, { parent: fixtures.home.folder, name: `${kind}.bin`, bytes: contents[kind] })),
    );
    const stop = testApp.app.startMedia();
    try {
      for (const [index, id] of ids.entries()) {
        while (["waiting", "transcoding"].includes((await getInfo(id)).common.transcoding_status)) await pause(20);
        const { common } = await getInfo(id);
        expect([common["kind"], common.transcoding_status]).toEqual([KINDS[index], "transcoded"]);
      }
    } finally {
      await stop();
    }
    const [audio, video, image, document] = await Promise.all(ids.map(attach));
    const url = expect.stringMatching(/^http:\/\/talkback\.test:3000\/api\/v2\/files\/\d+\/versions\/1\/(still|thumbnail)$/);
    expect(video).toMatchObject({ duration: expect.any(Number), stills_url: url, thumbnail_url: url });
    expect(image).toMatchObject({ thumbnail: url });
    for (const [attachment, members] of [
      [audio, []],
      [video, ["duration", "stills_url", "thumbnail_url"]],
      [image, ["thumbnail"]],
      [document, []],
    ] as const)
      expect(PREVIEWS.filter((member) => member in attachment!)).toEqual(members);
  });
});
