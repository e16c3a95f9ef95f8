/** Tests the check of real audio through the whole service: what processing measured is compared with the team's rules. */
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DeliveryCheck } from "../../../contract/delivery-records.ts";
import { getService } from "../../../contract/operations/session.ts";
import * as operations from "../../../contract/operations/delivery-rules.ts";
import { sine } from "../../media/testing/signals.ts";
import { encodeAudio } from "../../testing/audio.ts";
import { ENGINES } from "../../testing/engines.ts";
import { upload } from "../../testing/files.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";

const TIMEOUT_MS = 60_000;
const RATE = 48_000;
const RULES = {
  loudness: { target: -14, tolerance: 0.5 },
  true_peak_max: -1,
  sample_rates: [RATE],
  bit_depths: [24],
  channels: [2],
  formats: ["wav" as const, "flac" as const],
  name_pattern: "{project}_{title}_v{version}",
};
/** EBU Tech 3341: a sine of 1 kHz on both channels is as loud in LUFS as its level in dBFS. */
const toneAt = (left: number, right = left): Float32Array[] => [left, right].map((decibels) => sine(1_000, 10 ** (decibels / 20), 3, RATE));

describe.each(ENGINES)("delivery rules on %s", { timeout: TIMEOUT_MS }, (engine) => {
  let fixtures: Fixtures;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    fixtures = await createFixtures(engine);
    stop = fixtures.testApp.app.startMedia();
    await fixtures.testApp.call(fixtures.admin, operations.setDeliveryRules, { params: { team_id: fixtures.home.team }, body: RULES });
  }, TIMEOUT_MS);
  afterAll(async () => {
    await stop();
    await fixtures.testApp.close();
  });

  async function checkWhenAnalyzed(file_id: number, query: { version?: string } = {}): Promise<DeliveryCheck> {
    for (;;) {
      const check = (await fixtures.testApp.call(fixtures.member, operations.checkDelivery, { params: { file_id }, query })).response.data;
      if (!check.pending) return check;
      await pause(20);
    }
  }
  const uploadAs = (name: string, bytes: Buffer) => upload(fixtures.testApp, fixtures.member, { parent: fixtures.home.folder, name, bytes });
  const failures = ({ checks }: DeliveryCheck) => checks.filter(({ result }) => result !== "passed").map(({ rule, reason }) => `${rule}: ${reason}`);

  test("a mix that fulfills the rules passes, whatever the case of its name", async () => {
    const check = await checkWhenAnalyzed(await uploadAs("HOME_Intro_v3.wav", encodeAudio("wav24", toneAt(-11.2, -200), RATE)));
    expect(check).toMatchObject({ version: 1, result: "passed" });
    expect(check.checks.map(({ measured }) => measured)).toEqual(["\u221214.2 LUFS", "\u221211.2 dBTP", "48 kHz", "24 bit", "stereo", "WAV", "HOME_Intro_v3"]);
  });

  test("each rule that a mix breaks says by how much", async () => {
    const check = await checkWhenAnalyzed(await uploadAs("Final FINAL.mp3", encodeAudio("mp3cbr", toneAt(-0.4), RATE)));
    expect(check.result).toBe("failed");
    expect(failures(check)).toEqual([
      expect.stringMatching(/^loudness: 13\.\d LU too loud$/),
      expect.stringMatching(/^true_peak: 0\.\d dB too high$/),
      "bit_depth: Not 24 bit",
      "format: Not WAV or FLAC",
      "name: The name does not match the pattern",
    ]);
  });

  test("an earlier version is checked by its own measurements", async () => {
    const id = await uploadAs("home_Bridge_v1.wav", encodeAudio("wav24", toneAt(-14), RATE));
    await checkWhenAnalyzed(id);
    await upload(fixtures.testApp, fixtures.member, { versionOf: id, bytes: encodeAudio("wav24", toneAt(-20), RATE) });
    expect(failures(await checkWhenAnalyzed(id))).toEqual(["loudness: 6.0 LU too quiet"]);
    expect((await checkWhenAnalyzed(id, { version: "1" })).result).toBe("passed");
  });

  test("what cannot be measured is neither passed nor failed", async () => {
    const silence = await checkWhenAnalyzed(await uploadAs("home_Silence_v1.wav", encodeAudio("wav24", toneAt(-200), RATE)));
    expect([silence.result, ...failures(silence)]).toEqual([
      "not_measured",
      "loudness: The file is too short or too quiet to be measured.",
      "true_peak: The file is too short or too quiet to be measured.",
    ]);
    const text = await checkWhenAnalyzed(await uploadAs("home_Notes_v1.txt", Buffer.from("Louder, please.")));
    expect(new Set(failures(text).map((failure) => failure.replace(/^\w+: /, "")))).toEqual(new Set(["Only audio files are measured."]));
  });

  test("the service lists the feature", async () => {
    expect((await fixtures.testApp.call(fixtures.member, getService)).response.data.features).toContain("delivery-rules");
  });
});
