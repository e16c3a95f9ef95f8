/** Tests of damaged and malicious files through the whole service: each ends in a clear state, nothing is lost, and nothing can execute. */
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { reportFaults } from "../../testing/fault-counts.ts";
import * as files from "../../../contract/operations/files.ts";
import type { FileInfoResponse } from "../../../contract/records.ts";
import { DAY, HOUR } from "../../lib/clock.ts";
import { analyze } from "../../media/analyze.ts";
import { encodeFile, RECIPES, type RecipeName } from "../../media/testing/formats.ts";
import { hugePng, externalReferences, withExternalSamples } from "../../media/testing/hostile.ts";
import { analyzeInProcess, everyNth } from "../../media/testing/in-process.ts";
import { seeded } from "../../media/testing/random.ts";
import { noise, sine } from "../../media/testing/signals.ts";
import { checkStorage } from "../../storage/storage.ts";
import { openStorage, upload } from "../../testing/files.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { recordedKeys } from "./blob-keys.ts";

const TIMEOUT_MS = 540_000;
const RATE = 44_100;
const OWN_SECONDS = 0.3;
/** A sentence for users. */
const CLEAR_FAILURE = /^[A-Z][^\n]{10,140}\.$/;
/** Engine errors, paths and stack traces, which user-facing text must not contain. */
const TECHNICAL_DETAILS = /errno|E[A-Z]{4,}|\bexit\b|0x|\bat \w+ \(|\/tmp|undefined|null|\bNaN\b/;

interface HostileFile {
  bytes: Buffer;
  id: number;
  info: FileInfoResponse;
}

let fixtures: Fixtures;
let folder: string;
let server: Server;
let connectionCount = 0;
const cases = new Map<string, HostileFile>();

const OLD_ACCESS_TIME = new Date(Date.now() - 30 * DAY);
const canary = () => join(folder, "canary.wav");
const accessTimeMs = (path: string) => statSync(path).atimeMs;

function encodeValid(recipe: RecipeName, seconds = 0.6): Buffer {
  const rate = RECIPES[recipe].rates?.[0] ?? RATE;
  encodeFile(join(folder, "good"), recipe, [noise(0.3, seconds, rate, 1), noise(0.3, seconds, rate, 2)], rate);
  return readFileSync(join(folder, "good"));
}

function corrupt(bytes: Buffer, seed: number): Buffer {
  const random = seeded(seed);
  for (let round = 0; round < 40; round += 1) bytes[Math.floor(random.next() * (round < 8 ? 200 : bytes.length))] = Math.floor(random.next() * 256);
  return bytes;
}

const WAV_HEADER_LIES: [description: string, at: number, value: number, size: number][] = [
  ["no channels", 22, 0, 2],
  ["60,000 channels", 22, 60_000, 2],
  ["a rate of 0", 24, 0, 4],
  ["a rate of 4 GHz", 24, 4_000_000_000, 4],
  ["999 bits", 34, 999, 2],
  ["a header of 4 GB", 16, 0xffff_ffff, 4],
  ["4 GB of samples", 40, 0xffff_fff0, 4],
];

/** Names of files that a decoder would read as lists of other files, because of their extensions or first words. */
const PLAYLIST_NAMES = /m3u8$|concat/;
/** Ogg pages last one second, so Ogg files are longer. */
const secondsOf = (recipe: RecipeName): number => (RECIPES[recipe].format === "ogg" ? 3 : 0.6);

async function* hostileFiles(): AsyncGenerator<[string, Buffer]> {
  for (const [index, recipe] of (Object.keys(RECIPES) as RecipeName[]).entries()) {
    const { extension } = RECIPES[recipe];
    const whole = encodeValid(recipe, secondsOf(recipe));
    yield [`cut ${recipe}.${extension}`, whole.subarray(0, Math.floor(whole.length * 0.55))];
    yield [`corrupt ${recipe}.${extension}`, corrupt(whole, index + 1)];
  }
  for (const [title, offset, value, size] of WAV_HEADER_LIES) {
    const wav = encodeValid("wav16");
    wav.writeUIntLE(value, offset, size);
    yield [`${title}.wav`, wav];
  }
  yield ["words.wav", Buffer.from("these are only words, and they are called .wav")];
  yield ["empty.wav", Buffer.alloc(0)];
  yield ["huge.png", await hugePng(100_000, 100_000)];
  yield ["cut.jpg", Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), noiseBytes(400)])];
  const { port } = server.address() as AddressInfo;
  for (const [targetKind, target] of Object.entries({ host: `http://127.0.0.1:${port}/a.ts`, file: canary(), address: pathToFileURL(canary()).href })) {
    for (const [name, text] of Object.entries(externalReferences(target)))
      if (targetKind !== "address" || PLAYLIST_NAMES.test(name)) yield [`${targetKind} ${name}`, Buffer.from(text, "latin1")];
    yield [`${targetKind} elsewhere.m4a`, withExternalSamples(encodeIndexAtEnd(), target)];
  }
}

const noiseBytes = (length: number): Buffer => Buffer.from(Array.from({ length }, (_, index) => (index * 197 + 31) % 256));

function encodeIndexAtEnd(): Buffer {
  encodeFile(join(folder, "good"), "alac16", [sine(440, 0.3, OWN_SECONDS, RATE)], RATE);
  return readFileSync(join(folder, "good"));
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "talkback-hostile-"));
  server = createServer((socket) => {
    connectionCount += 1;
    socket.destroy();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  encodeFile(canary(), "wav16", [sine(440, 0.3, 3, RATE)], RATE);
  // A process per file takes most of the time; every eighth file is enough to see that it makes no difference.
  fixtures = await createFixtures("sqlite", { analyze: everyNth(8, analyze, analyzeInProcess()) });
  const { testApp, member, home } = fixtures;
  for await (const [name, bytes] of hostileFiles())
    cases.set(name, { bytes: Buffer.from(bytes), id: await upload(testApp, member, { parent: home.folder, name, bytes: Buffer.from(bytes) }), info: null! });
  utimesSync(canary(), OLD_ACCESS_TIME, OLD_ACCESS_TIME);
  const stop = testApp.app.startMedia();
  const underWay = () => testApp.database.read.selectFrom("jobs").select(["run_at", "failure"]).where("state", "in", ["waiting", "running"]).execute();
  for (const deadline = Date.now() + TIMEOUT_MS; ; await pause(50)) {
    const jobs = await underWay();
    if (jobs.length === 0) break;
    if (Date.now() > deadline) throw new Error(`Still under way: ${JSON.stringify(jobs)}`);
    // All remaining jobs wait for a second attempt, so the clock advances to it.
    if (jobs.every(({ run_at }) => run_at > testApp.clock.now())) testApp.clock.advance(HOUR);
  }
  await stop();
  for (const hostileFile of cases.values()) hostileFile.info = (await testApp.call(member, files.getFileInfo, { body: { file_id: hostileFile.id } })).response;
}, TIMEOUT_MS + 60_000);
afterAll(async () => {
  server.close();
  await fixtures.testApp.close();
  rmSync(folder, { recursive: true, force: true });
});

const casesMatching = (pattern: RegExp): [string, HostileFile][] => [...cases].filter(([name]) => pattern.test(name));
const stateOf = ({ info }: HostileFile) => ({ status: info.common.transcoding_status, kind: info.common["kind"], failure: info.common["failure"] });

test("processes every file, or fails with a readable reason", () => {
  expect(cases.size).toBeGreaterThan(80);
  const failed = [...cases.values()].map(stateOf).filter(({ status }) => status === "failed");
  const clearFailures = failed.filter(({ failure }) => CLEAR_FAILURE.test(String(failure)) && !TECHNICAL_DETAILS.test(String(failure))).length;
  const done = [...cases.values()].filter((hostileFile) => stateOf(hostileFile).status === "transcoded").length;
  const counts = { clearFailures, unclearFailures: failed.length - clearFailures, hangs: cases.size - failed.length - done };
  reportFaults("media", "sqlite", { broken: cases.size, acknowledged: done, ...counts });
  for (const [name, hostileFile] of cases) {
    const { status, failure } = stateOf(hostileFile);
    expect(["transcoded", "failed"], name).toContain(status);
    if (status === "transcoded") expect(failure, name).toBeNull();
    else {
      expect(failure, name).toMatch(CLEAR_FAILURE);
      expect(failure, name).not.toMatch(TECHNICAL_DETAILS);
      expect(failure, name).not.toMatch(/engine crashed|unknown reason/);
    }
  }
});

test("a truncated file with audio is playable and has a note that it ends early", () => {
  const cut = casesMatching(/^cut \w+\.(wav|aiff|flac|mp3|aac|ogg|opus|mka)$/);
  expect(cut.length).toBeGreaterThan(10);
  for (const [name, hostileFile] of cut) {
    expect(stateOf(hostileFile), name).toMatchObject({ status: "transcoded", kind: "audio" });
    const { duration, wave } = hostileFile.info.file_info as { duration: number; wave: number[] };
    const whole = /vorbis|opus/.test(name) ? 3 : 0.6;
    expect(duration, name).toBeGreaterThan(whole / 4);
    expect(duration, name).toBeLessThan(whole * 0.95);
    expect(wave.length, name).toBeGreaterThan(0);
  }
  for (const [name, hostileFile] of casesMatching(/^cut (wav16|wav24|aiff16|flac16)\b/))
    expect(hostileFile.info.file_info["notes"], name).toEqual(
      expect.arrayContaining([expect.stringMatching(/^The file ends early: .*contains|^1 damaged part was skipped\.$/)]),
    );
});

test("an MP4 truncated before its index fails as damaged", () => {
  for (const [name, hostileFile] of casesMatching(/^cut alac\d+\.m4a$/))
    expect(stateOf(hostileFile), name).toMatchObject({ status: "failed", failure: expect.stringMatching(/damaged/) });
});

test("false WAV headers are corrected or rejected", () => {
  for (const [title] of WAV_HEADER_LIES) {
    const hostileFile = cases.get(`${title}.wav`)!;
    const { status, failure } = stateOf(hostileFile);
    if (status === "failed") expect(failure, title).toMatch(/damaged|not supported|are supported/);
    else expect(hostileFile.info.file_info, title).toMatchObject({ samplerate: RATE, number_of_chanels: 2, duration: 0.6 });
  }
});

test("a file is classified by its content: text named .wav, an empty file, and oversized and truncated images fail", () => {
  expect(stateOf(cases.get("words.wav")!)).toEqual({
    status: "failed",
    kind: "document",
    failure: "This file isn't valid audio or video.",
  });
  expect(stateOf(cases.get("empty.wav")!)).toMatchObject({ status: "failed", failure: "The file is empty." });
  expect(stateOf(cases.get("huge.png")!)).toMatchObject({ status: "failed", failure: "The image has too many pixels to be opened safely." });
  expect(stateOf(cases.get("cut.jpg")!)).toMatchObject({ status: "failed", failure: expect.stringMatching(/damaged/) });
});

describe("a file that references other files or hosts", () => {
  test("is a document or damaged, and contains no audio of other files", () => {
    const all = casesMatching(/^(host|file|address) /);
    expect(all.length).toBeGreaterThan(30);
    for (const [name, hostileFile] of all) {
      const { status, kind } = stateOf(hostileFile);
      // Such a file is decoded for its own samples, which are part of the file.
      if (name.includes("elsewhere")) expect(hostileFile.info.file_info, name).toMatchObject({ number_of_samples: OWN_SECONDS * RATE });
      else {
        if (status === "transcoded") expect(kind, name).toBe("document");
        expect(hostileFile.info.common.compressed_file_url, name).toBeNull();
      }
    }
  });
  test("causes no connection and no read of the referenced file", async (context) => {
    expect(connectionCount).toBe(0);
    const { port } = server.address() as AddressInfo;
    await fetch(`http://127.0.0.1:${port}/`).catch(() => {});
    expect(connectionCount).toBe(1);
    expect(accessTimeMs(canary())).toBe(OLD_ACCESS_TIME.getTime());
    readFileSync(canary());
    if (accessTimeMs(canary()) === OLD_ACCESS_TIME.getTime()) context.skip("this disk does not note when a file was read");
  });
});

test("no served file can run scripts", async () => {
  const path = (url: string, query = "") => new URL(url).pathname + query;
  for (const [name, { info }] of cases) {
    for (const query of ["", "?download=1"]) {
      const { status, headers } = await fixtures.testApp.send(fixtures.guest, { method: "HEAD", url: path(info.common.url, query) });
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

test("all originals are unchanged, and storage has no missing or orphan blobs", async () => {
  const { testApp, member } = fixtures;
  for (const [name, { bytes, info }] of cases) {
    const reply = await testApp.app.server.inject({ method: "GET", url: new URL(info.common.url).pathname, headers: member.headers });
    expect(reply.rawPayload.equals(bytes), name).toBe(true);
  }
  const discrepancies = await checkStorage(openStorage(testApp), recordedKeys(testApp.database.read), Date.now() + 10 * DAY);
  expect([discrepancies.missing, discrepancies.orphans]).toEqual([[], []]);
});

test("the service still processes the next valid file", async () => {
  writeFileSync(join(folder, "next"), encodeValid("wav16"));
  const id = await upload(fixtures.testApp, fixtures.member, { parent: fixtures.home.folder, name: "next.wav", bytes: readFileSync(join(folder, "next")) });
  const stop = fixtures.testApp.app.startMedia();
  const status = async () => (await fixtures.testApp.call(fixtures.member, files.getFileInfo, { body: { file_id: id } })).response.common.transcoding_status;
  while (["waiting", "transcoding"].includes(await status())) await pause(20);
  await stop();
  const isProcessed = (await status()) === "transcoded";
  reportFaults("media", "sqlite", { acknowledged: Number(isProcessed), lost: Number(!isProcessed) });
  expect(isProcessed).toBe(true);
});
