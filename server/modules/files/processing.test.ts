/** Tests of uploads through the real media process on both engines, including crashes on the way. */
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import sharp from "sharp";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import * as chat from "../../../contract/operations/chat.ts";
import * as files from "../../../contract/operations/files.ts";
import * as filesView from "../../../contract/operations/files-view.ts";
import type { Attachment, FileInfoResponse } from "../../../contract/records.ts";
import { MINUTE } from "../../lib/clock.ts";
import { createTestFolder } from "../../media/testing/folder.ts";
import { encodeFile } from "../../media/testing/formats.ts";
import { noise } from "../../media/testing/signals.ts";
import { id3v2, pictureFrame } from "../../media/testing/tagged.ts";
import { writeVideo, type VideoRecipe } from "../../media/testing/video-file.ts";
import { checkStorage } from "../../storage/storage.ts";
import { testSong, encodeAudio } from "../../testing/audio.ts";
import { ENGINES } from "../../testing/engines.ts";
import { currentVersion, openStorage, upload } from "../../testing/files.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { recordedKeys } from "./blob-keys.ts";

const RATE = 44_100;
/** Long enough for tempo and key detection. */
const SONG_SECONDS = 10;
const TIMEOUT_MS = 120_000;

/** Returns the pids of media processes started by this process. */
const mediaProcesses = (): number[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return (
          readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ")[1] === String(process.pid) &&
          readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("media")
        );
      } catch {
        return false;
      }
    });

function killIfRunning(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

describe.each(ENGINES)("processing on %s", { timeout: 300_000 }, (engine) => {
  let fixtures: Fixtures;
  let stop: (() => Promise<void>) | null = null;
  let wav: Buffer;
  /** For tests that do not depend on the audio content. */
  let shortWav: Buffer;
  beforeAll(async () => {
    fixtures = await createFixtures(engine);
    wav = encodeAudio("wav24", testSong(SONG_SECONDS), RATE);
    shortWav = encodeAudio("wav16", testSong(2), RATE);
  }, 60_000);
  afterEach(async () => {
    await stop?.();
    stop = null;
  });
  afterAll(() => fixtures.testApp.close());

  const startMedia = () => void (stop = fixtures.testApp.app.startMedia());
  const uploadBytes = (name: string, bytes: Buffer) => upload(fixtures.testApp, fixtures.member, { parent: fixtures.home.folder, name, bytes });
  const loadInfo = async (id: number): Promise<FileInfoResponse> =>
    (await fixtures.testApp.call(fixtures.member, files.getFileInfo, { body: { file_id: id } })).response;
  async function waitForStatus(id: number, ...states: string[]): Promise<FileInfoResponse> {
    for (const deadline = Date.now() + TIMEOUT_MS; Date.now() < deadline; await pause(20))
      if (states.includes((await currentVersion(fixtures.testApp, id)).transcoding_status)) return loadInfo(id);
    throw new Error(`${(await loadInfo(id)).common.transcoding_status} is not ${states.join(" or ")}`);
  }
  const eventsOf = async (id: number) =>
    (await fixtures.testApp.database.read.selectFrom("events").select(["type", "data"]).orderBy("seq").execute())
      .map(({ type, data }) => ({ type, data: JSON.parse(data) as Record<string, unknown> }))
      .filter(({ data }) => data["id"] === id);
  const findDiscrepancies = async () => {
    const discrepancies = await checkStorage(openStorage(fixtures.testApp), recordedKeys(fixtures.testApp.database.read), Date.now() + 10 * 24 * 60 * MINUTE);
    return [discrepancies.missing, discrepancies.orphans];
  };
  const loadJob = async (id: number) =>
    fixtures.testApp.database.read
      .selectFrom("jobs")
      .selectAll()
      .where("subject_id", "=", (await currentVersion(fixtures.testApp, id)).id)
      .orderBy("id", "desc")
      .executeTakeFirstOrThrow();

  async function waitForJob(id: number, state: string): Promise<void> {
    for (const deadline = Date.now() + TIMEOUT_MS; (await loadJob(id)).state !== state; await pause(20)) {
      if (Date.now() > deadline) throw new Error(`${(await loadJob(id)).state} is not ${state}`);
    }
  }

  test("a song gets facts, peaks, tempo, key and a copy, and messages that carry it are republished", async () => {
    const id = await uploadBytes("song.wav", wav);
    const { data: message } = (
      await fixtures.testApp.call(fixtures.member, chat.sendMessage, { body: { project_id: fixtures.home.project, body: "hear", attachment_ids: [id] } })
    ).response;
    expect(message.attachments[0]).toMatchObject({ transcoding_status: "waiting" });
    startMedia();
    const { common, file_info, ai_tags } = await waitForStatus(id, "transcoded", "failed");
    expect(common).toMatchObject({ transcoding_status: "transcoded", failure: null, compressed_file_url: expect.stringContaining("/compressed") });
    expect(file_info).toMatchObject({
      object: "audio_file_info",
      audio_encoding: "pcm_s24le",
      bits_per_sample: 24,
      duration: SONG_SECONDS,
      number_of_chanels: 2,
      number_of_samples: SONG_SECONDS * RATE,
      samplerate: RATE,
    });
    expect(Math.abs(ai_tags.bpm - 118)).toBeLessThan(2);
    expect(ai_tags.key[0]).toBe("A minor");
    const attachmentEvents = (await eventsOf(id)).filter(({ type }) => type === "attachment.updated").map(({ data }) => data as Attachment);
    expect(attachmentEvents.map(({ transcoding_status }) => transcoding_status)).toEqual(expect.arrayContaining(["transcoding", "transcoded"]));
    expect(attachmentEvents.at(-1)).toMatchObject({ transcoding_status: "transcoded", audio: { duration: SONG_SECONDS, key: "A minor" } });
    expect(attachmentEvents.at(-1)?.audio?.wave.length).toBeGreaterThan(100);
    expect(await findDiscrepancies()).toEqual([[], []]);
  });

  test("a manual retry replaces all results without orphans, and generating tags keeps the copy", async () => {
    const id = await uploadBytes("again.wav", shortWav);
    startMedia();
    await waitForStatus(id, "transcoded");
    const first = await currentVersion(fixtures.testApp, id);
    const response = (await fixtures.testApp.call(fixtures.member, files.generateTags, { body: { file_id: id } })).response;
    // The existing copy stays playable meanwhile.
    expect((await loadInfo(id)).common.transcoding_status).toBe("transcoded");
    expect(response).toBeDefined();
    await waitForJob(id, "done");
    const second = await currentVersion(fixtures.testApp, id);
    expect([second.compressed_key, second.peaks]).toEqual([first.compressed_key, first.peaks]);
    await fixtures.testApp.call(fixtures.member, files.retryProcessing, { params: { file_id: id } });
    await waitForStatus(id, "transcoded");
    const third = await currentVersion(fixtures.testApp, id);
    expect(third.compressed_key).not.toBe(first.compressed_key);
    expect(await findDiscrepancies()).toEqual([[], []]);
  });

  test("failing to generate tags keeps the file playable and its tags", async () => {
    const id = await uploadBytes("tagged.wav", shortWav);
    startMedia();
    const before = (await waitForStatus(id, "transcoded")).ai_tags;
    await stop?.();
    stop = null;
    const version = await currentVersion(fixtures.testApp, id);
    await fixtures.testApp.call(fixtures.member, files.generateTags, { body: { file_id: id } });
    // Simulates workers that crashed as often as the limit allows.
    await fixtures.testApp.database.write((tx) => tx.updateTable("jobs").set({ attempts: 4 }).where("subject_id", "=", version.id).execute());
    startMedia();
    await waitForJob(id, "failed");
    const { common, ai_tags } = await loadInfo(id);
    expect([common.transcoding_status, common["failure"]]).toEqual(["transcoded", null]);
    expect(ai_tags).toEqual({ ...before, model: { state: "failed", detail: "Processing failed several times." } });
  });

  test.runIf(process.platform === "linux")("a killed media process is retried later with a reason and completes", async () => {
    const fileId = await uploadBytes("killed.wav", shortWav);
    startMedia();
    await waitForStatus(fileId, "transcoding");
    for (let pids = mediaProcesses(); ; pids = mediaProcesses(), await pause(20)) {
      for (const pid of pids) killIfRunning(pid);
      const { state } = await loadJob(fileId);
      if (state === "waiting") break;
      expect(state).toBe("running");
    }
    expect((await loadInfo(fileId)).common).toMatchObject({ transcoding_status: "waiting", failure: expect.stringMatching(/\.$/) });
    fixtures.testApp.clock.advance(MINUTE);
    expect((await waitForStatus(fileId, "transcoded", "failed")).common).toMatchObject({ transcoding_status: "transcoded", failure: null });
    expect((await loadJob(fileId)).attempts).toBe(2);
    expect(await findDiscrepancies()).toEqual([[], []]);
  });

  test("a stopping service releases the job, and the next one starts it at once", async () => {
    const id = await uploadBytes("stopped.wav", shortWav);
    startMedia();
    await waitForStatus(id, "transcoding");
    await stop?.();
    expect(await loadJob(id)).toMatchObject({ state: "waiting", attempts: 0, failure: null });
    startMedia();
    expect((await waitForStatus(id, "transcoded", "failed")).common.transcoding_status).toBe("transcoded");
    expect(await findDiscrepancies()).toEqual([[], []]);
  });

  test("a file deleted during processing gets no further events, shows its result where it was sent, and leaves no orphans", async () => {
    const { testApp, member, home } = fixtures;
    const id = await uploadBytes("gone.wav", shortWav);
    const body = { project_id: home.project, body: "before it is ready", attachment_ids: [id] };
    await testApp.call(member, chat.sendMessage, { body });
    const sent = async () => {
      const { data } = (await testApp.call(member, chat.chatHistory, { body: { project_id: home.project } })).response;
      return data.flatMap(({ attachments }) => attachments).findLast((attachment) => attachment.id === id)?.transcoding_status;
    };
    startMedia();
    await waitForStatus(id, "transcoding");
    await testApp.call(member, files.deleteFile, { body: { file_id: id } });
    expect(["transcoding", "transcoded"]).toContain(await sent());
    const { id: versionId } = await fixtures.testApp.database.read.selectFrom("file_versions").select("id").where("file_id", "=", id).executeTakeFirstOrThrow();
    const isDone = async () =>
      (await fixtures.testApp.database.read.selectFrom("jobs").select("state").where("subject_id", "=", versionId).executeTakeFirstOrThrow()).state === "done";
    while (!(await isDone())) await pause(20);
    expect((await eventsOf(id)).findLast(({ type }) => type.startsWith("file."))?.type).toBe("file.deleted");
    expect(await sent()).toBe("transcoded");
    expect(await findDiscrepancies()).toEqual([[], []]);
  });

  // Processing results do not depend on the database engine, so one engine is enough.
  if (engine === "sqlite")
    describe("independent of the database", () => {
      test("a video gets facts and waveform first and its copy from a separate queue, unless it needs no encoding", async () => {
        using folder = createTestFolder();
        const uploadVideo = async (name: string, recipe: VideoRecipe) => {
          await writeVideo(folder.resolve(name), recipe);
          return uploadBytes(name, readFileSync(folder.resolve(name)));
        };
        const video = await uploadVideo("film.mkv", { width: 160, height: 90, seconds: 2, format: "matroska", codec: "mpeg4", sound: "opus" });
        const playableVideo = await uploadVideo("ready.webm", { width: 160, height: 90, seconds: 2, format: "webm", codec: "libvpx-vp9", sound: "opus" });
        startMedia();
        await waitForStatus(video, "transcoded");
        await waitForStatus(playableVideo, "transcoded");
        const kinds = async (id: number) =>
          (
            await fixtures.testApp.database.read
              .selectFrom("jobs")
              .select(["kind", "state"])
              .where("subject_id", "=", (await currentVersion(fixtures.testApp, id)).id)
              .orderBy("id")
              .execute()
          ).map(({ kind, state }) => `${kind} ${state}`);
        expect(await kinds(video)).toEqual(["media done", "media.film done"]);
        expect(await kinds(playableVideo)).toEqual(["media done"]);
        const [copied, plain] = [await currentVersion(fixtures.testApp, video), await currentVersion(fixtures.testApp, playableVideo)];
        expect([copied.media_type, copied.compressed_type]).toEqual(["video/x-matroska", "video/mp4"]);
        expect([plain.media_type, plain.compressed_key]).toEqual(["video/webm", null]);
        expect([copied.thumbnail_key, plain.thumbnail_key]).not.toContain(null);
      });

      test("text is a document and fails as .wav, and a damaged FLAC fails with a reason and can be retried", async () => {
        const [plain, text, broken] = [
          await uploadBytes("words.txt", Buffer.from("these are words")),
          await uploadBytes("words.wav", Buffer.from("these are words")),
          await uploadBytes("broken.flac", Buffer.concat([Buffer.from("fLaC"), Buffer.alloc(5_000, 7)])),
        ];
        startMedia();
        expect(await waitForStatus(plain, "transcoded", "failed")).toMatchObject({
          common: { kind: "document", transcoding_status: "transcoded", failure: null },
          file_info: { object: "document_file_info" },
        });
        expect(await waitForStatus(text, "transcoded", "failed")).toMatchObject({
          common: { kind: "document", transcoding_status: "failed", failure: "This file isn't valid audio or video." },
          file_info: { object: "document_file_info" },
        });
        const { common } = await waitForStatus(broken, "failed", "transcoded");
        expect(common.transcoding_status).toBe("failed");
        expect(common["failure"]).toMatch(/^[A-Z].{10,}\.$/);
        expect((await fixtures.testApp.call(fixtures.member, files.retryProcessing, { params: { file_id: broken } })).response.data.transcoding_status).toBe(
          "waiting",
        );
        await waitForStatus(broken, "failed");
      });

      test("an image gets a thumbnail that is served with its own type", async () => {
        const png = await sharp({ create: { width: 900, height: 300, channels: 4, background: "#a408" } })
          .png()
          .toBuffer();
        const id = await uploadBytes("cover", png);
        startMedia();
        const { file_info, common } = await waitForStatus(id, "transcoded", "failed");
        expect([common["media_type"], file_info]).toMatchObject(["image/png", { object: "image_file_info", width: 900, height: 300 }]);
        const { statusCode, headers, rawPayload } = await fixtures.testApp.app.server.inject({
          method: "GET",
          url: new URL(String(file_info["thumbnail"])).pathname,
          headers: fixtures.guest.headers,
        });
        expect([statusCode, headers["content-type"]]).toEqual([200, "image/webp"]);
        expect(headers["content-disposition"]).toMatch(/^inline; filename="cover\.webp"/);
        expect(await sharp(rawPayload).metadata()).toMatchObject({ format: "webp", width: 640, height: 213 });
      });

      test("the cover of an audio file is in its info, its attachments and its list entry, and served like other thumbnails", async () => {
        using folder = createTestFolder();
        const { testApp, member, guest, home } = fixtures;
        const picture = await sharp({ create: { width: 900, height: 900, channels: 3, background: "#a40" } })
          .jpeg()
          .toBuffer();
        encodeFile(folder.resolve("song"), "mp3cbr", [noise(0.3, 0.4, 44_100)], 44_100);
        const plain = readFileSync(folder.resolve("song"));
        const id = await uploadBytes("song.mp3", Buffer.concat([id3v2([["APIC", pictureFrame(picture)]]), plain]));
        const without = await uploadBytes("plain.mp3", plain);
        startMedia();
        const { file_info } = await waitForStatus(id, "transcoded", "failed");
        expect((await waitForStatus(without, "transcoded", "failed")).file_info).not.toHaveProperty("cover_url");
        const cover_url = `http://talkback.test:3000/api/v2/files/${id}/versions/1/thumbnail`;
        expect(file_info).toMatchObject({ object: "audio_file_info", cover_url });
        const { attachments } = (await testApp.call(member, chat.sendMessage, { body: { project_id: home.project, body: "", attachment_ids: [id, without] } }))
          .response.data;
        expect(attachments[0]!.audio).toMatchObject({ cover_url });
        expect(attachments[1]!.audio).not.toHaveProperty("cover_url");
        // A documented `thumbnail_url` would make it a video for other clients.
        expect(attachments[0]).not.toHaveProperty("thumbnail_url");
        const { data } = (await testApp.call(guest, filesView.listFiles, { params: { project_id: home.project }, query: { folder_id: String(home.folder) } }))
          .response;
        expect([id, without].map((file) => data.find((entry) => entry.id === file)?.thumbnail_url)).toEqual([cover_url, null]);
        const request = { method: "GET", url: new URL(cover_url).pathname } as const;
        const { statusCode, headers, rawPayload } = await testApp.app.server.inject({ ...request, headers: guest.headers });
        expect([statusCode, headers["content-type"]]).toEqual([200, "image/webp"]);
        expect(await sharp(rawPayload).metadata()).toMatchObject({ format: "webp", width: 320, height: 320 });
        expect((await testApp.app.server.inject({ ...request, headers: { ...guest.headers, "if-none-match": headers.etag } })).statusCode).toBe(304);
        expect((await testApp.app.server.inject(request)).statusCode).toBe(401);
        const signed = (await testApp.call(guest, files.createSignedUrl, { params: { file_id: id }, body: { variant: "thumbnail" } })).response.data.url;
        expect((await testApp.app.server.inject({ method: "GET", url: new URL(signed).pathname })).rawPayload).toEqual(rawPayload);
        expect(await findDiscrepancies()).toEqual([[], []]);
      });
    });
});
