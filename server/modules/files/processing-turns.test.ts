/** Tests that one account's many files neither delay another's for long nor fill the queue. */
import { statSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import * as files from "../../../contract/operations/files.ts";
import type { AnalyzeOptions } from "../../media/analyze.ts";
import type { Results } from "../../media/types.ts";
import { ENGINES } from "../../testing/engines.ts";
import { currentVersion, upload } from "../../testing/files.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { MAX_WAITING_JOBS } from "./versions.ts";

/** An analysis that a test ends by hand. */
class HeldAnalyses {
  readonly #waiting: { bytes: number; end: () => void }[] = [];
  #onStart = () => {};

  readonly analyze = ({ input, signal }: AnalyzeOptions): Promise<Results> =>
    new Promise((resolve, reject) => {
      signal?.addEventListener("abort", () => reject(new Error("stopped")));
      this.#waiting.push({ bytes: statSync(input).size, end: () => resolve({}) });
      this.#onStart();
    });

  /** Waits until as many analyses run, and returns the sizes of their files. */
  async whenRunning(count: number): Promise<number[]> {
    while (this.#waiting.length < count) await new Promise<void>((resolve) => (this.#onStart = resolve));
    return this.#waiting.map(({ bytes }) => bytes);
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
