/** Tests of genres, moods and instruments through the whole service, with a real model if the optional package is installed. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import * as files from "../../../contract/operations/files.ts";
import type { FileInfoResponse } from "../../../contract/records.ts";
import { sine } from "../../media/testing/signals.ts";
import { writeTinyModel } from "../../media/testing/tiny-model.ts";
import { encodeAudio } from "../../testing/audio.ts";
import { upload } from "../../testing/files.ts";
import { createFixtures } from "../../testing/fixtures.ts";

const PACKAGE = "@huggingface/transformers";
const RATE = 44_100;
const TIMEOUT_MS = 100_000;

function isInstalled(): boolean {
  try {
    return createRequire(import.meta.url).resolve(PACKAGE) !== "";
  } catch {
    return false;
  }
}
const INSTALLED = isInstalled();

let modelFolder: string;
beforeEach(() => {
  modelFolder = mkdtempSync(join(tmpdir(), "talkback-model-"));
  writeTinyModel(modelFolder, { happy: 4, techno: 4, dark: -4, ambient: -4 });
});
afterEach(() => rmSync(modelFolder, { recursive: true, force: true }));

/** Uploads tones of these frequencies, in hertz, and returns their file info after tagging. */
async function tagTones(...pitches: number[]): Promise<FileInfoResponse[]> {
  const { testApp, member, home } = await createFixtures("sqlite", { environment: { TAGGING_MODEL: modelFolder } });
  const stop = testApp.app.startMedia();
  try {
    const infos: FileInfoResponse[] = [];
    for (const hertz of pitches) {
      const id = await upload(testApp, member, { parent: home.folder, name: `${hertz}.wav`, bytes: encodeAudio("wav16", [sine(hertz, 0.5, 12, RATE)], RATE) });
      const info = async () => (await testApp.call(member, files.getFileInfo, { body: { file_id: id } })).response;
      for (const deadline = Date.now() + TIMEOUT_MS; ["waiting", "transcoding"].includes((await info()).common.transcoding_status); await pause(50))
        if (Date.now() > deadline) throw new Error("Still under way");
      infos.push(await info());
    }
    return infos;
  } finally {
    await stop();
    await testApp.close();
  }
}

describe("a tagging model", { timeout: 240_000 }, () => {
  // The package has hundreds of megabytes, so it is no dependency: these tests run after `npm run admin -- install-model` or `npm install --no-save @huggingface/transformers`.
  test.skipIf(!INSTALLED)(`is loaded from its folder and labels audio (needs ${PACKAGE})`, async () => {
    const [low, high] = await tagTones(120, 9_000);
    for (const { common, ai_tags } of [low!, high!]) {
      expect([common.transcoding_status, common["failure"], ai_tags["model"]]).toEqual(["transcoded", null, { state: "labeled" }]);
      for (const list of [ai_tags.genres, ai_tags.moods, ai_tags.instruments]) {
        expect(list.map(([, score]) => score)).toEqual(list.map(([, score]) => score).toSorted((a, b) => b - a));
        expect(list.every(([, score]) => score > 0 && score <= 1)).toBe(true);
      }
    }
    expect([low!.ai_tags.genres[0]?.[0], low!.ai_tags.moods[0]?.[0]]).toEqual(["ambient", "dark"]);
    expect([high!.ai_tags.genres[0]?.[0], high!.ai_tags.moods[0]?.[0]]).toEqual(["techno", "happy"]);
    // The model recognizes no instrument: none stands out, so none is returned.
    expect([low!.ai_tags.instruments, high!.ai_tags.instruments]).toEqual([[], []]);
  });

  test.skipIf(!INSTALLED)(`that is damaged is reported, and the file is still processed (needs ${PACKAGE})`, async () => {
    writeFileSync(join(modelFolder, "onnx", "model.onnx"), "not a model");
    const [info] = await tagTones(440);
    expect(info!.common.transcoding_status).toBe("transcoded");
    expect(info!.ai_tags).toMatchObject({ genres: [], moods: [], instruments: [], model: { state: "failed" } });
  });

  test.skipIf(INSTALLED)("without its package yields no labels and names the missing package", async () => {
    const [info] = await tagTones(440);
    expect(info!.common).toMatchObject({ transcoding_status: "transcoded", failure: null });
    expect(info!.ai_tags).toMatchObject({
      genres: [],
      moods: [],
      instruments: [],
      model: { state: "not-installed", detail: expect.stringContaining("npm run admin -- install-model") },
    });
  });
});
