/** Uploads on their way through the real media process, on both engines, also when something on that way dies. */
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import sharp from "sharp";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Attachment, FileInfoAnswer } from "../../../contract/records.ts";
import * as chat from "../../../contract/operations/chat.ts";
import * as files from "../../../contract/operations/files.ts";
import { MINUTE } from "../../lib/clock.ts";
import { checkStorage } from "../../storage/check.ts";
import { startCast, type Cast } from "../../testing/cast.ts";
import { ENGINES } from "../../testing/engines.ts";
import { currentVersion, storageOf, upload } from "../../testing/files.ts";
import { testFolder } from "../../media/testing/folder.ts";
import { writeVideo, type VideoRecipe } from "../../media/testing/video-file.ts";
import { song, soundFile } from "../../testing/sounds.ts";
import { recordedKeys } from "./stored-keys.ts";

const RATE = 44_100;
/** Long enough to have a tempo and a key. */
const SONG_SECONDS = 10;
const PATIENCE_MS = 120_000;

/** The media processes that this process has started. */
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

function killIfThere(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

describe.each(ENGINES)("processing, on %s", { timeout: 300_000 }, (engine) => {
  let cast: Cast;
  let stop: (() => Promise<void>) | null = null;
  let wav: Buffer;
  /** For tests in which nobody asks what it sounds like. */
  let brief: Buffer;
  beforeAll(async () => {
    cast = await startCast(engine);
    wav = soundFile("wav24", song(SONG_SECONDS), RATE);
    brief = soundFile("wav16", song(2), RATE);
  }, 60_000);
  afterEach(async () => {
    await stop?.();
    stop = null;
  });
  afterAll(() => cast.world.close());

  const begin = () => void (stop = cast.world.app.startMedia());
  const put = (name: string, bytes: Buffer) => upload(cast.world, cast.member, { parent: cast.home.folder, name, bytes });
  const infoOf = async (id: number): Promise<FileInfoAnswer> => (await cast.world.call(cast.member, files.getFileInfo, { body: { file_id: id } })).answer;
  async function until(id: number, ...states: string[]): Promise<FileInfoAnswer> {
    for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await pause(20))
      if (states.includes((await currentVersion(cast.world, id)).transcoding_status)) return infoOf(id);
    throw new Error(`${(await infoOf(id)).common.transcoding_status} is not ${states.join(" or ")}`);
  }
  const eventsOf = async (id: number) =>
    (await cast.world.database.read.selectFrom("events").select(["type", "data"]).orderBy("seq").execute())
      .map(({ type, data }) => ({ type, data: JSON.parse(data) as Record<string, unknown> }))
      .filter(({ data }) => data["id"] === id);
  const leftOver = async () => {
    const found = await checkStorage(storageOf(cast.world), recordedKeys(cast.world.database.read), Date.now() + 10 * 24 * 60 * MINUTE);
    return [found.missing, found.orphans];
  };
  const jobOf = async (id: number) =>
    cast.world.database.read
      .selectFrom("jobs")
      .selectAll()
      .where("subject_id", "=", (await currentVersion(cast.world, id)).id)
      .orderBy("id", "desc")
      .executeTakeFirstOrThrow();

  async function untilJob(id: number, state: string): Promise<void> {
    for (const end = Date.now() + PATIENCE_MS; (await jobOf(id)).state !== state; await pause(20)) {
      if (Date.now() > end) throw new Error(`${(await jobOf(id)).state} is not ${state}`);
    }
  }

  test("a song: true facts, peaks, tempo and key, a copy; messages that carry it hear of it", async () => {
    const id = await put("song.wav", wav);
    const { data: message } = (
      await cast.world.call(cast.member, chat.sendMessage, { body: { project_id: cast.home.project, body: "hear", attachment_ids: [id] } })
    ).answer;
    expect(message.attachments[0]).toMatchObject({ transcoding_status: "waiting" });
    begin();
    const { common, file_info, ai_tags } = await until(id, "transcoded", "failed");
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
    const told = (await eventsOf(id)).filter(({ type }) => type === "attachment.updated").map(({ data }) => data as Attachment);
    expect(told.map(({ transcoding_status }) => transcoding_status)).toEqual(expect.arrayContaining(["transcoding", "transcoded"]));
    expect(told.at(-1)).toMatchObject({ transcoding_status: "transcoded", audio: { duration: SONG_SECONDS, key: "A minor" } });
    expect(told.at(-1)?.audio?.wave.length).toBeGreaterThan(100);
    expect(await leftOver()).toEqual([[], []]);
  });

  test("again by hand replaces what was made and leaves nothing behind; tags alone leave the copy alone", async () => {
    const id = await put("again.wav", brief);
    begin();
    await until(id, "transcoded");
    const first = await currentVersion(cast.world, id);
    const asked = (await cast.world.call(cast.member, files.generateTags, { body: { file_id: id } })).answer;
    // What plays goes on playing meanwhile.
    expect((await infoOf(id)).common.transcoding_status).toBe("transcoded");
    expect(asked).toBeDefined();
    await untilJob(id, "done");
    const second = await currentVersion(cast.world, id);
    expect([second.compressed_key, second.peaks]).toEqual([first.compressed_key, first.peaks]);
    await cast.world.call(cast.member, files.retryProcessing, { params: { file_id: id } });
    await until(id, "transcoded");
    const third = await currentVersion(cast.world, id);
    expect(third.compressed_key).not.toBe(first.compressed_key);
    expect(await leftOver()).toEqual([[], []]);
  });

  test("new tags that fail take nothing away from what plays", async () => {
    const id = await put("tagged.wav", brief);
    begin();
    const before = (await until(id, "transcoded")).ai_tags;
    await stop?.();
    stop = null;
    const version = await currentVersion(cast.world, id);
    await cast.world.call(cast.member, files.generateTags, { body: { file_id: id } });
    // As if its workers had died as often as they may.
    await cast.world.database.write((tx) => tx.updateTable("jobs").set({ attempts: 4 }).where("subject_id", "=", version.id).execute());
    begin();
    await untilJob(id, "failed");
    const { common, ai_tags } = await infoOf(id);
    expect([common.transcoding_status, common["failure"]]).toEqual(["transcoded", null]);
    expect(ai_tags).toEqual({ ...before, model: { state: "failed", detail: "Processing broke off several times and was given up." } });
  });

  test.runIf(process.platform === "linux")("the media process killed in the middle: put off with a reason, then done, each step once", async () => {
    const long = await put("killed.wav", brief);
    begin();
    await until(long, "transcoding");
    for (let pids = mediaProcesses(); ; pids = mediaProcesses(), await pause(20)) {
      for (const pid of pids) killIfThere(pid);
      const { state } = await jobOf(long);
      if (state === "waiting") break;
      expect(state).toBe("running");
    }
    expect((await infoOf(long)).common).toMatchObject({ transcoding_status: "waiting", failure: expect.stringMatching(/\.$/) });
    cast.world.clock.pass(MINUTE);
    expect((await until(long, "transcoded", "failed")).common).toMatchObject({ transcoding_status: "transcoded", failure: null });
    expect((await jobOf(long)).attempts).toBe(2);
    expect(await leftOver()).toEqual([[], []]);
  });

  test("a service that stops in the middle gives the job back, and the next one goes on at once", async () => {
    const id = await put("stopped.wav", brief);
    begin();
    await until(id, "transcoding");
    await stop?.();
    expect(await jobOf(id)).toMatchObject({ state: "waiting", attempts: 0, failure: null });
    begin();
    expect((await until(id, "transcoded", "failed")).common.transcoding_status).toBe("transcoded");
    expect(await leftOver()).toEqual([[], []]);
  });

  test("deleted meanwhile: nobody hears of it any more, and its bytes go with it later", async () => {
    const id = await put("gone.wav", brief);
    begin();
    await until(id, "transcoding");
    await cast.world.call(cast.member, files.deleteFile, { body: { file_id: id } });
    const { id: versionId } = await cast.world.database.read.selectFrom("file_versions").select("id").where("file_id", "=", id).executeTakeFirstOrThrow();
    const isDone = async () =>
      (await cast.world.database.read.selectFrom("jobs").select("state").where("subject_id", "=", versionId).executeTakeFirstOrThrow()).state === "done";
    while (!(await isDone())) await pause(20);
    expect((await eventsOf(id)).at(-1)?.type).toBe("file.deleted");
    expect(await leftOver()).toEqual([[], []]);
  });

  // What comes out does not depend on where it is written down.
  if (engine === "sqlite")
    describe("whatever keeps the records", () => {
      test("a film: facts and waveform come first, its copy waits in a line of its own; a copy that needs no encoding does not", async () => {
        using folder = testFolder();
        const made = async (name: string, recipe: VideoRecipe) => {
          await writeVideo(folder.in(name), recipe);
          return put(name, readFileSync(folder.in(name)));
        };
        const film = await made("film.mkv", { width: 160, height: 90, seconds: 2, format: "matroska", codec: "mpeg4", sound: "opus" });
        const ready = await made("ready.webm", { width: 160, height: 90, seconds: 2, format: "webm", codec: "libvpx-vp9", sound: "opus" });
        begin();
        await until(film, "transcoded");
        await until(ready, "transcoded");
        const kinds = async (id: number) =>
          (
            await cast.world.database.read
              .selectFrom("jobs")
              .select(["kind", "state"])
              .where("subject_id", "=", (await currentVersion(cast.world, id)).id)
              .orderBy("id")
              .execute()
          ).map(({ kind, state }) => `${kind} ${state}`);
        expect(await kinds(film)).toEqual(["media done", "media.film done"]);
        expect(await kinds(ready)).toEqual(["media done"]);
        const [copied, plain] = [await currentVersion(cast.world, film), await currentVersion(cast.world, ready)];
        expect([copied.media_type, copied.compressed_type]).toEqual(["video/x-matroska", "video/mp4"]);
        expect([plain.media_type, plain.compressed_key]).toEqual(["video/webm", null]);
        expect([copied.thumbnail_key, plain.thumbnail_key]).not.toContain(null);
      });

      test("a text is a document, also named .wav, and then it says so; a broken FLAC fails with a reason and can be tried again", async () => {
        const [plain, text, broken] = [
          await put("words.txt", Buffer.from("these are words")),
          await put("words.wav", Buffer.from("these are words")),
          await put("broken.flac", Buffer.concat([Buffer.from("fLaC"), Buffer.alloc(5_000, 7)])),
        ];
        begin();
        expect(await until(plain, "transcoded", "failed")).toMatchObject({
          common: { kind: "document", transcoding_status: "transcoded", failure: null },
          file_info: { object: "document_file_info" },
        });
        expect(await until(text, "transcoded", "failed")).toMatchObject({
          common: { kind: "document", transcoding_status: "failed", failure: "By its name this is audio or video, but there is neither in the file." },
          file_info: { object: "document_file_info" },
        });
        const { common } = await until(broken, "failed", "transcoded");
        expect(common.transcoding_status).toBe("failed");
        expect(common["failure"]).toMatch(/^[A-Z].{10,}\.$/);
        expect((await cast.world.call(cast.member, files.retryProcessing, { params: { file_id: broken } })).answer.data.transcoding_status).toBe("waiting");
        await until(broken, "failed");
      });

      test("a picture gets a thumbnail that is served as what it is", async () => {
        const png = await sharp({ create: { width: 900, height: 300, channels: 4, background: "#a408" } })
          .png()
          .toBuffer();
        const id = await put("cover", png);
        begin();
        const { file_info, common } = await until(id, "transcoded", "failed");
        expect([common["media_type"], file_info]).toMatchObject(["image/png", { object: "image_file_info", width: 900, height: 300 }]);
        const { statusCode, headers, rawPayload } = await cast.world.app.server.inject({
          method: "GET",
          url: new URL(String(file_info["thumbnail"])).pathname,
          headers: cast.guest.headers,
        });
        expect([statusCode, headers["content-type"]]).toEqual([200, "image/webp"]);
        expect(headers["content-disposition"]).toMatch(/^inline; filename="cover\.webp"/);
        expect(await sharp(rawPayload).metadata()).toMatchObject({ format: "webp", width: 640, height: 213 });
      });
    });
});
