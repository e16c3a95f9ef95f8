/** Broken, lying and hostile files through the whole service: each ends in a clear state, nothing is lost, nothing can run. */
import { mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { once } from "node:events";
import { pathToFileURL } from "node:url";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { FileInfoAnswer } from "../../../contract/records.ts";
import * as files from "../../../contract/operations/files.ts";
import { analyse } from "../../media/analyse.ts";
import { encodeFile, RECIPES, type RecipeName } from "../../media/testing/formats.ts";
import { analyseInProcess, everyNth } from "../../media/testing/in-process.ts";
import { hugePng, pointers, withSamplesElsewhere } from "../../media/testing/hostile.ts";
import { seeded } from "../../media/testing/random.ts";
import { noise, sine } from "../../media/testing/signals.ts";
import { DAY, HOUR } from "../../lib/clock.ts";
import { checkStorage } from "../../storage/check.ts";
import { startCast, type Cast } from "../../testing/cast.ts";
import { storageOf, upload } from "../../testing/files.ts";
import { recordedKeys } from "./stored-keys.ts";

const PATIENCE_MS = 540_000;
const RATE = 44_100;
const OWN_SECONDS = 0.3;
/** What an engine says, a path, a stack: nothing that a person should read. */
const MACHINE_WORDS = /errno|E[A-Z]{4,}|\bexit\b|0x|\bat \w+ \(|\/tmp|undefined|null|\bNaN\b/;

interface Case {
  bytes: Buffer;
  id: number;
  info: FileInfoAnswer;
}

let cast: Cast;
let folder: string;
let server: Server;
let knocks = 0;
const cases = new Map<string, Case>();

const READ_LONG_AGO = new Date(Date.now() - 30 * DAY);
const canary = () => join(folder, "canary.wav");
const lastRead = (path: string) => statSync(path).atimeMs;

function good(recipe: RecipeName, seconds = 0.6): Buffer {
  const rate = RECIPES[recipe].rates?.[0] ?? RATE;
  encodeFile(join(folder, "good"), recipe, [noise(0.3, seconds, rate, 1), noise(0.3, seconds, rate, 2)], rate);
  return readFileSync(join(folder, "good"));
}

function corrupt(bytes: Buffer, seed: number): Buffer {
  const random = seeded(seed);
  for (let hit = 0; hit < 40; hit += 1) bytes[Math.floor(random.next() * (hit < 8 ? 200 : bytes.length))] = Math.floor(random.next() * 256);
  return bytes;
}

const LIES: [what: string, at: number, value: number, size: number][] = [
  ["no channels", 22, 0, 2],
  ["60,000 channels", 22, 60_000, 2],
  ["a rate of 0", 24, 0, 4],
  ["a rate of 4 GHz", 24, 4_000_000_000, 4],
  ["999 bits", 34, 999, 2],
  ["a header of 4 GB", 16, 0xffff_ffff, 4],
  ["4 GB of samples", 40, 0xffff_fff0, 4],
];

/** What is read as a list of other files by their endings or first words. */
const LISTS = /m3u8$|concat/;
/** Ogg comes in pages of a second. */
const secondsOf = (recipe: RecipeName): number => (RECIPES[recipe].format === "ogg" ? 3 : 0.6);

async function* wicked(): AsyncGenerator<[string, Buffer]> {
  for (const [at, recipe] of (Object.keys(RECIPES) as RecipeName[]).entries()) {
    const { extension } = RECIPES[recipe];
    const whole = good(recipe, secondsOf(recipe));
    yield [`cut ${recipe}.${extension}`, whole.subarray(0, Math.floor(whole.length * 0.55))];
    yield [`corrupt ${recipe}.${extension}`, corrupt(whole, at + 1)];
  }
  for (const [what, at, value, size] of LIES) {
    const lie = good("wav16");
    lie.writeUIntLE(value, at, size);
    yield [`${what}.wav`, lie];
  }
  yield ["words.wav", Buffer.from("these are only words, and they are called .wav")];
  yield ["empty.wav", Buffer.alloc(0)];
  yield ["huge.png", await hugePng(100_000, 100_000)];
  yield ["cut.jpg", Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), noiseBytes(400)])];
  const { port } = server.address() as AddressInfo;
  for (const [where, target] of Object.entries({ host: `http://127.0.0.1:${port}/a.ts`, file: canary(), address: pathToFileURL(canary()).href })) {
    for (const [name, text] of Object.entries(pointers(target)))
      if (where !== "address" || LISTS.test(name)) yield [`${where} ${name}`, Buffer.from(text, "latin1")];
    yield [`${where} elsewhere.m4a`, withSamplesElsewhere(indexAtEnd(), target)];
  }
}

const noiseBytes = (length: number): Buffer => Buffer.from(Array.from({ length }, (_, at) => (at * 197 + 31) % 256));

function indexAtEnd(): Buffer {
  encodeFile(join(folder, "good"), "alac16", [sine(440, 0.3, OWN_SECONDS, RATE)], RATE);
  return readFileSync(join(folder, "good"));
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "talkback-hostile-"));
  server = createServer((socket) => {
    knocks += 1;
    socket.destroy();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  encodeFile(canary(), "wav16", [sine(440, 0.3, 3, RATE)], RATE);
  // A process for each file takes most of the time; one in eight is enough to see that it changes nothing.
  cast = await startCast("sqlite", { analyse: everyNth(8, analyse, analyseInProcess()) });
  const { world, member, home } = cast;
  for await (const [name, bytes] of wicked())
    cases.set(name, { bytes: Buffer.from(bytes), id: await upload(world, member, { parent: home.folder, name, bytes: Buffer.from(bytes) }), info: null! });
  utimesSync(canary(), READ_LONG_AGO, READ_LONG_AGO);
  const stop = world.app.startMedia();
  const underWay = () => world.database.read.selectFrom("jobs").select(["run_at", "failure"]).where("state", "in", ["waiting", "running"]).execute();
  for (const end = Date.now() + PATIENCE_MS; ; await pause(50)) {
    const jobs = await underWay();
    if (jobs.length === 0) break;
    if (Date.now() > end) throw new Error(`Still under way: ${JSON.stringify(jobs)}`);
    // All that is left was put off: its second try comes at once.
    if (jobs.every(({ run_at }) => run_at > world.clock.now())) world.clock.pass(HOUR);
  }
  await stop();
  for (const one of cases.values()) one.info = (await world.call(member, files.getFileInfo, { body: { file_id: one.id } })).answer;
}, PATIENCE_MS + 60_000);
afterAll(async () => {
  server.close();
  await cast.world.close();
  rmSync(folder, { recursive: true, force: true });
});

const named = (pattern: RegExp): [string, Case][] => [...cases].filter(([name]) => pattern.test(name));
const stateOf = ({ info }: Case) => ({ status: info.common.transcoding_status, kind: info.common["kind"], failure: info.common["failure"] });

test("each ends, played as far as it goes or failed with a reason that a person understands", () => {
  expect(cases.size).toBeGreaterThan(80);
  for (const [name, one] of cases) {
    const { status, failure } = stateOf(one);
    expect(["transcoded", "failed"], name).toContain(status);
    if (status === "transcoded") expect(failure, name).toBeNull();
    else {
      expect(failure, name).toMatch(/^[A-Z][^\n]{10,140}\.$/);
      expect(failure, name).not.toMatch(MACHINE_WORDS);
      expect(failure, name).not.toMatch(/engine crashed|not known yet/);
    }
  }
});

test("what is cut off and still has sound plays, and says that it ends early", () => {
  const cut = named(/^cut \w+\.(wav|aiff|flac|mp3|aac|ogg|opus|mka)$/);
  expect(cut.length).toBeGreaterThan(10);
  for (const [name, one] of cut) {
    expect(stateOf(one), name).toMatchObject({ status: "transcoded", kind: "audio" });
    const { duration, wave } = one.info.file_info as { duration: number; wave: number[] };
    const whole = /vorbis|opus/.test(name) ? 3 : 0.6;
    expect(duration, name).toBeGreaterThan(whole / 4);
    expect(duration, name).toBeLessThan(whole * 0.95);
    expect(wave.length, name).toBeGreaterThan(0);
  }
  for (const [name, one] of named(/^cut (wav16|wav24|aiff16|flac16)\b/))
    expect(one.info.file_info["notes"], name).toEqual(
      expect.arrayContaining([expect.stringMatching(/^The file ends early: .*holds|^1 damaged part was skipped\.$/)]),
    );
});

test("an MP4 cut before its index has nothing to play, and says so", () => {
  for (const [name, one] of named(/^cut alac\d+\.m4a$/))
    expect(stateOf(one), name).toMatchObject({ status: "failed", failure: expect.stringMatching(/damaged/) });
});

test("lying WAV headers are seen through or refused, never believed", () => {
  for (const [what] of LIES) {
    const one = cases.get(`${what}.wav`)!;
    const { status, failure } = stateOf(one);
    if (status === "failed") expect(failure, what).toMatch(/damaged|not supported|more than this service handles/);
    else expect(one.info.file_info, what).toMatchObject({ samplerate: RATE, number_of_chanels: 2, duration: 0.6 });
  }
});

test("by content, never by name: words are no sound, nothing is nothing, too many pixels are too many", () => {
  expect(stateOf(cases.get("words.wav")!)).toEqual({
    status: "failed",
    kind: "document",
    failure: "By its name this is audio or video, but there is neither in the file.",
  });
  expect(stateOf(cases.get("empty.wav")!)).toMatchObject({ status: "failed", failure: "The file is empty." });
  expect(stateOf(cases.get("huge.png")!)).toMatchObject({ status: "failed", failure: "The image has too many pixels to be opened safely." });
  expect(stateOf(cases.get("cut.jpg")!)).toMatchObject({ status: "failed", failure: expect.stringMatching(/damaged/) });
});

describe("what names other files or hosts", () => {
  test("is a document, or damaged, and has no sound of anybody else", () => {
    const all = named(/^(host|file|address) /);
    expect(all.length).toBeGreaterThan(30);
    for (const [name, one] of all) {
      const { status, kind } = stateOf(one);
      // Taken for its own samples; those are in the file after all.
      if (name.includes("elsewhere")) expect(one.info.file_info, name).toMatchObject({ number_of_samples: OWN_SECONDS * RATE });
      else {
        if (status === "transcoded") expect(kind, name).toBe("document");
        expect(one.info.common.compressed_file_url, name).toBeNull();
      }
    }
  });
  test("is not followed: nobody knocked, nobody read the file", async (context) => {
    expect(knocks).toBe(0);
    const { port } = server.address() as AddressInfo;
    await fetch(`http://127.0.0.1:${port}/`).catch(() => {});
    expect(knocks).toBe(1);
    expect(lastRead(canary())).toBe(READ_LONG_AGO.getTime());
    readFileSync(canary());
    if (lastRead(canary()) === READ_LONG_AGO.getTime()) context.skip("this disk does not note when a file was read");
  });
});

test("nothing that is served could run, whoever asks and however", async () => {
  const path = (url: string, query = "") => new URL(url).pathname + query;
  for (const [name, { info }] of cases) {
    for (const query of ["", "?download=1"]) {
      const { status, headers } = await cast.world.send(cast.guest, { method: "HEAD", url: path(info.common.url, query) });
      expect(status, name).toBe(200);
      expect(headers, name).toMatchObject({
        "content-security-policy": "sandbox; default-src 'none'",
        "x-content-type-options": "nosniff",
        "cross-origin-resource-policy": "same-origin",
        "content-type": expect.stringMatching(/^(application\/octet-stream|(audio|video)\/(wav|aiff|flac|mpeg|aac|ogg|mp4|webm)|image\/(png|jpeg))$/),
      });
      if (/\.(html|svg|m3u8|mpd|pls|asx|sdp)$/.test(name) || name === "words.wav" || query !== "")
        expect(String(headers["content-disposition"]), name).toMatch(/^attachment; /);
    }
  }
});

test("nothing is lost: every byte is still what was sent, nothing is missing, nothing is left over", async () => {
  const { world, member } = cast;
  for (const [name, { bytes, info }] of cases) {
    const reply = await world.app.server.inject({ method: "GET", url: new URL(info.common.url).pathname, headers: member.headers });
    expect(reply.rawPayload.equals(bytes), name).toBe(true);
  }
  const found = await checkStorage(storageOf(world), recordedKeys(world.database.read), Date.now() + 10 * DAY);
  expect([found.missing, found.orphans]).toEqual([[], []]);
});

test("the service is up, and the next good file is done as ever", async () => {
  writeFileSync(join(folder, "next"), good("wav16"));
  const id = await upload(cast.world, cast.member, { parent: cast.home.folder, name: "next.wav", bytes: readFileSync(join(folder, "next")) });
  const stop = cast.world.app.startMedia();
  const status = async () => (await cast.world.call(cast.member, files.getFileInfo, { body: { file_id: id } })).answer.common.transcoding_status;
  while (["waiting", "transcoding"].includes(await status())) await pause(20);
  await stop();
  expect(await status()).toBe("transcoded");
});
