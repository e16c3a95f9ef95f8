/** Tests that documents from before wait while any upload does. */
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createQueue } from "../../jobs/queue.ts";
import { ENGINES } from "../../testing/engines.ts";
import { currentVersion } from "../../testing/files.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { createTextJobs } from "./text-jobs.ts";
import { MEDIA_JOB, TEXT_JOB } from "./uploads.ts";

describe.each(ENGINES)("documents from before on %s", { timeout: 60_000 }, (engine) => {
  let fixtures: Fixtures;
  beforeAll(async () => void (fixtures = await createFixtures(engine)), 60_000);
  afterAll(() => fixtures.testApp.close());

  test("are read once no upload waits", async () => {
    const { database, clock } = fixtures.testApp;
    const queue = createQueue(database);
    await database.write((tx) => tx.deleteFrom("jobs").execute());
    const { id } = await currentVersion(fixtures.testApp, fixtures.home.file);
    const { organisation_id, id: account_id } = await database.read
      .selectFrom("accounts")
      .select(["id", "organisation_id"])
      .where("id", "=", fixtures.member.id)
      .executeTakeFirstOrThrow();
    const enqueue = (kind: string) => database.write((tx) => queue.enqueue(tx, clock.now(), { kind, subject_id: id, organisation_id, account_id }));
    for (const kind of [MEDIA_JOB, TEXT_JOB]) await enqueue(kind);
    const run = vi.fn(async (job: Parameters<Parameters<typeof createTextJobs>[0]["run"]>[0]) => {
      await database.write((tx) => queue.finish(tx, clock.now(), job));
    });
    let checks = 0;
    const watched = {
      ...queue,
      async waitingOwners(...args: Parameters<typeof queue.waitingOwners>) {
        const owners = await queue.waitingOwners(...args);
        checks += 1;
        return owners;
      },
    };
    const worker = createTextJobs({ queue: watched, clock, run, onError: (error) => expect.unreachable(String(error)) });
    try {
      await expect.poll(() => checks, { timeout: 20_000 }).toBeGreaterThan(1);
      expect(run).not.toHaveBeenCalled();
      const upload = await queue.claim(clock.now(), MEDIA_JOB, 60_000);
      await database.write((tx) => queue.finish(tx, clock.now(), upload!));
      await expect.poll(() => run.mock.calls.length, { timeout: 20_000 }).toBe(1);
    } finally {
      await worker.stop();
    }
  });
});
