/** Tests that one account's many files neither delay another's for long nor fill the queue. */
import { statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import * as files from "../../../contract/operations/files.ts";
import { SECOND } from "../../lib/clock.ts";
import type { AnalyzeOptions } from "../../media/analyze.ts";
import { MediaFailure } from "../../media/failure.ts";
import { silentFlac } from "../../media/testing/silent-flac.ts";
import type { Results } from "../../media/types.ts";
import { encodeAudio, testSong } from "../../testing/audio.ts";
import { ENGINES } from "../../testing/engines.ts";
import { currentVersion, upload } from "../../testing/files.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import type { Person } from "../../testing/people.ts";
import { MAX_WAITING_JOBS } from "./versions.ts";

/** An analysis that a test ends by hand. */
class HeldAnalyses {
  #waiting: { bytes: number; end: () => void }[] = [];
  #onStart = () => {};

  readonly analyze = ({ input, signal }: AnalyzeOptions): Promise<Results> =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(new MediaFailure("aborted"));
      const entry = { bytes: statSync(input).size, end: () => resolve({}) };
      signal?.addEventListener("abort", () => {
        this.#waiting = this.#waiting.filter((one) => one !== entry);
        reject(new MediaFailure("aborted"));
      });
      this.#waiting.push(entry);
      this.#onStart();
    });

  /** Waits until as many analyses run, and returns the sizes of their files. */
  async whenRunning(count: number): Promise<number[]> {
    while (this.#waiting.length < count) await new Promise<void>((resolve) => (this.#onStart = resolve));
    return this.#waiting.map(({ bytes }) => bytes);
  }

  /** Waits until a file of this size is analyzed. */
  async whenStarted(bytes: number): Promise<void> {
    while (!this.#waiting.some((one) => one.bytes === bytes)) await new Promise<void>((resolve) => (this.#onStart = resolve));
  }

  /** Ends the analyses of files of this size. */
  end(bytes: number): void {
    for (const one of this.#waiting.filter((waiting) => waiting.bytes === bytes)) one.end();
  }

  /** Ends the analysis that began first. */
  endFirst(): void {
    this.#waiting.shift()?.end();
  }
}

describe.each(ENGINES)("processing on %s", { timeout: 60_000 }, (engine) => {
  let fixtures: Fixtures;
  let stop: (() => Promise<void>) | null = null;
  afterEach(async () => {
    await stop?.();
    stop = null;
    await fixtures.testApp.close();
  });

  test("takes the owner's file next, although a guest has uploaded six heavy ones before", async () => {
    const held = new HeldAnalyses();
    fixtures = await createFixtures(engine, { analyze: held.analyze });
    const { testApp, guest, owner, home } = fixtures;
    await testApp.database.write((tx) => tx.updateTable("jobs").set({ state: "done" }).execute());
    stop = testApp.app.startMedia();
    for (let file = 0; file < 6; file += 1) await upload(testApp, guest, { parent: home.folder, name: `heavy ${file}.flac`, bytes: Buffer.alloc(1_000, 1) });
    expect(await held.whenRunning(2)).toEqual([1_000, 1_000]);
    await upload(testApp, owner, { parent: home.folder, name: "take.wav", bytes: Buffer.alloc(16, 1) });
    held.endFirst();
    expect(await held.whenRunning(2)).toEqual([1_000, 16]);
    // The guest's files go on with the other worker.
    held.endFirst();
    expect(await held.whenRunning(2)).toEqual([16, 1_000]);
  });

  test("lets a long job go on alone, and moves it to the long jobs when somebody else waits", async () => {
    const held = new HeldAnalyses();
    fixtures = await createFixtures(engine, { analyze: held.analyze });
    const { testApp, guest, member, owner, home } = fixtures;
    await testApp.database.write((tx) => tx.updateTable("jobs").set({ state: "done" }).execute());
    stop = testApp.app.startMedia();
    const add = (caller: Person, size: number) => upload(testApp, caller, { parent: home.folder, name: `${size}.flac`, bytes: Buffer.alloc(size, 1) });
    // Two accounts hold both workers.
    const only = await add(guest, 8_000);
    expect(await held.whenRunning(1)).toEqual([8_000]);
    testApp.clock.advance(5 * SECOND);
    const oneOfMany = await add(member, 9_000);
    expect(await held.whenRunning(2)).toEqual([8_000, 9_000]);
    testApp.clock.advance(46 * SECOND);
    await add(member, 9_001);
    await add(owner, 16);
    testApp.clock.advance(4 * SECOND);
    // The owner's file takes the worker of the member, who has more files waiting; the guest's only file keeps its own, although it has run for longer.
    await held.whenStarted(16);
    expect((await held.whenRunning(3)).toSorted((a, b) => a - b)).toEqual([16, 8_000, 9_000]);
    const jobsOf = async (file: number) =>
      (
        await testApp.database.read
          .selectFrom("jobs")
          .select(["kind", "state"])
          .where("subject_id", "=", (await currentVersion(testApp, file)).id)
          .execute()
      )
        .map(({ kind, state }) => `${kind} ${state}`)
        .toSorted();
    expect([await jobsOf(only), await jobsOf(oneOfMany)]).toEqual([["media running"], ["media done", "media.film running"]]);
    // It is finished there.
    held.end(9_000);
    const status = async (file: number) => (await currentVersion(testApp, file)).transcoding_status;
    while ((await status(oneOfMany)) !== "transcoded") await sleep(10);
    held.end(8_000);
    while ((await status(only)) !== "transcoded") await sleep(10);
  });

  test("of 8 MB files that decode for minutes frees a worker within seconds when an account has both", async () => {
    fixtures = await createFixtures(engine);
    const { testApp, guest, owner, home } = fixtures;
    await testApp.database.write((tx) => tx.updateTable("jobs").set({ state: "done" }).execute());
    stop = testApp.app.startMedia();
    const hostile = Buffer.concat([silentFlac(1_200), Buffer.alloc(8_000_000)]).subarray(0, 8_000_000);
    const ids = [
      await upload(testApp, guest, { parent: home.folder, name: "silence 1.flac", bytes: hostile }),
      await upload(testApp, guest, { parent: home.folder, name: "silence 2.flac", bytes: hostile }),
    ];
    const status = async (id: number) => (await currentVersion(testApp, id)).transcoding_status;
    for (const id of ids) while ((await status(id)) !== "transcoding") await sleep(10);
    const song = await upload(testApp, owner, { parent: home.folder, name: "take.wav", bytes: encodeAudio("wav16", testSong(1), 44_100) });
    testApp.clock.advance(11 * SECOND);
    while ((await status(song)) !== "transcoded") await sleep(10);
    expect((await Promise.all(ids.map(status))).includes("failed")).toBe(false);
  });

  test("of more is refused with 429 while 200 files of an account wait; uploads are accepted and wait", async () => {
    fixtures = await createFixtures(engine);
    const { testApp, member, owner, home } = fixtures;
    const id = await upload(testApp, member, { parent: home.folder, name: "take.wav" });
    const { id: versionId } = await currentVersion(testApp, id);
    const { organisation_id } = await testApp.database.read
      .selectFrom("accounts")
      .select("organisation_id")
      .where("id", "=", member.id)
      .executeTakeFirstOrThrow();
    await testApp.database.write(async (tx) => {
      await tx.updateTable("jobs").set({ state: "done" }).execute();
      const job = { kind: "media", subject_id: versionId + 1_000, organisation_id, account_id: member.id };
      for (let count = 0; count < MAX_WAITING_JOBS; count += 1) await testApp.app.deps.queue.enqueue(tx, testApp.clock.now(), job);
    });
    const process = () => testApp.callUntyped(member, files.retryProcessing, { params: { file_id: id } });
    const refused = [await process(), await testApp.callUntyped(member, files.generateTags, { body: { file_id: id } })];
    for (const reply of refused) {
      expect(reply.problem).toMatchObject({ status: 429, detail: expect.stringMatching(/^You have 200 files waiting to be processed/) });
      expect(reply.headers["retry-after"]).toBe("60");
    }
    await upload(testApp, member, { parent: home.folder, name: "another.wav" });
    expect((await testApp.callUntyped(owner, files.retryProcessing, { params: { file_id: home.file } })).status).toBe(200);
    await testApp.database.write((tx) =>
      tx
        .deleteFrom("jobs")
        .where("subject_id", "=", versionId + 1_000)
        .execute(),
    );
    expect((await process()).status).toBe(200);
  });
});
