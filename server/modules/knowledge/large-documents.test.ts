/** Tests documents and songs through the real media process: long ones, ones that end the process, and lyrics in tags. */
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { getFileInfo } from "../../../contract/operations/files.ts";
import { listFilePages, searchKnowledgeBase } from "../../../contract/operations/knowledge.ts";
import { analyze } from "../../media/analyze.ts";
import { createPdf } from "../../media/testing/create-pdf.ts";
import { id3v2, languageFrame } from "../../media/testing/tagged.ts";
import { encodeAudio, testSong } from "../../testing/audio.ts";
import { ENGINES } from "../../testing/engines.ts";
import { currentVersion, upload } from "../../testing/files.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import type { Analyze } from "../files/analyze-upload.ts";

const TIMEOUT_MS = 120_000;
const pagesWith = (count: number): Buffer => createPdf(Array.from({ length: count }, (_, index) => `Take ${index + 1} of the session`));

let fixtures: Fixtures;
let stop: (() => Promise<void>) | null = null;
afterEach(async () => {
  await stop?.();
  stop = null;
  await fixtures.testApp.close();
});

async function uploadAndRead(name: string, bytes: Buffer): Promise<number> {
  const id = await upload(fixtures.testApp, fixtures.member, { parent: fixtures.home.folder, name, bytes });
  stop ??= fixtures.testApp.app.startMedia();
  for (const deadline = Date.now() + TIMEOUT_MS; Date.now() < deadline; await pause(20))
    if (/transcoded|failed/.test((await currentVersion(fixtures.testApp, id)).transcoding_status)) return id;
  throw new Error("The file was not processed");
}
const find = async (query: string) => (await fixtures.testApp.call(fixtures.member, searchKnowledgeBase, { query: { query } })).response;
const textOf = async (file_id: number) => (await fixtures.testApp.call(fixtures.member, listFilePages, { params: { file_id } })).response;

describe.each(ENGINES)("large documents on %s", { timeout: TIMEOUT_MS }, (engine) => {
  test("each of 1,000 pages is found on its page, in their order", async () => {
    fixtures = await createFixtures(engine);
    const id = await uploadAndRead("takes.pdf", pagesWith(1_000));
    expect(await textOf(id)).toMatchObject({ state: "indexed", page_count: 1_000, is_cut: false });
    const [only, ...others] = (await find('"take 777 of"')).data;
    expect([only?.page, others]).toEqual([777, []]);
    expect((await find("session")).data.slice(0, 3).map(({ page }) => page)).toEqual([1, 2, 3]);
  });

  test("lyrics and a comment in the tags of an upload are found", async () => {
    fixtures = await createFixtures(engine);
    const tags = id3v2([
      ["USLT", languageFrame("Lanterns drift over the harbor\nand home again")],
      ["COMM", languageFrame("Second take with oboe")],
    ]);
    await uploadAndRead("harbor.mp3", Buffer.concat([tags, encodeAudio("mp3cbr", testSong(1), 44_100)]));
    for (const [query, label] of [
      ['"over the harbor and home"', "Lyrics"],
      ["oboe second", "Notes"],
    ] as const)
      expect((await find(query)).data.map(({ file, page_label }) => [file.name, page_label])).toEqual([["harbor.mp3", label]]);
  });
});

describe("a process that ends while it reads a document", { timeout: TIMEOUT_MS }, () => {
  async function expectSurvival(): Promise<void> {
    const id = await uploadAndRead("long.pdf", pagesWith(4_000));
    const { common } = (await fixtures.testApp.call(fixtures.member, getFileInfo, { body: { file_id: id } })).response;
    expect(common).toMatchObject({ transcoding_status: "transcoded", size: expect.any(Number) });
    expect(common["failure"] ?? null).toBeNull();
    expect(await textOf(id)).toMatchObject({ state: "failed", reason: "The text of this document could not be read.", data: [] });
  }

  test("by a crash leaves the upload as it is, and says that the text was not read", async () => {
    const analyzeFile: Analyze = (options) => {
      let pid = 0;
      return analyze({
        ...options,
        onStart: (started) => void (pid = started),
        onStep(step) {
          options.onStep?.(step);
          if (step.step === "probe") process.kill(pid, "SIGSEGV");
        },
      });
    };
    fixtures = await createFixtures("sqlite", { analyze: analyzeFile });
    await expectSurvival();
  });

  test("by its memory limit does so too", async () => {
    fixtures = await createFixtures("sqlite", { mediaLimits: { rssBytes: 110 * 1024 * 1024 } });
    await expectSurvival();
  });
});
