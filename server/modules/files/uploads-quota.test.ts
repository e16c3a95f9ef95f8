/** Tests the storage quota of an organization and the rejection of uploads beyond it. */
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as files from "../../../contract/operations/files.ts";
import type { Caller } from "../../testing/client.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createTusUpload, openStorage } from "../../testing/files.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";

describe.each(ENGINES)("the quota on %s", { timeout: 60_000 }, (engine) => {
  let fixtures: Fixtures;
  beforeAll(async () => void (fixtures = await createFixtures(engine, { environment: { QUOTA_BYTES: "1000" } })), 60_000);
  afterAll(() => fixtures.testApp.close());
  const send = (size: number, caller: Caller, parent: number, headers: Record<string, string> = {}) =>
    fixtures.testApp.callUntyped(caller, files.uploadFile, { query: { parent_id: parent, name: "x" }, bytes: Buffer.alloc(size), headers });

  test("applies per organization", async () => {
    const { testApp, owner, foreignOwner, home, foreign } = fixtures;
    const rejection = await send(990, owner, home.folder);
    expect([rejection.status, rejection.problem.detail]).toEqual([413, expect.stringContaining("enough storage left")]);
    expect((await send(900, foreignOwner, foreign.folder)).status).toBe(200);
    expect((await send(900, foreignOwner, foreign.folder)).status).toBe(413);
    expect(await testApp.database.read.selectFrom("jobs").select("id").where("state", "=", "waiting").execute()).toHaveLength(1);
  });
  test("is not exceeded by simultaneous uploads into different projects", async () => {
    const { owner, home, next, apart } = fixtures;
    const folders = [home.folder, next.folder, apart.folder, home.root, next.root, apart.root];
    const replies = await Promise.all(folders.map((parent) => send(400, owner, parent)));
    // The fixture files already use part of the quota.
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 413, 413, 413, 413]);
    const stored = await Readable.from(openStorage(fixtures.testApp).list()).toArray();
    expect(stored.filter(({ size }: { size: number }) => size === 400)).toHaveLength(2);
  });
  test("counts unfinished resumable uploads with their declared size", async () => {
    const { testApp, owner, home } = fixtures;
    const metadata = { parent_id: home.folder, name: "part" };
    const { used } = await testApp.database.read
      .selectFrom("blobs")
      .select(({ fn }) => fn.sum<number | string>("size").as("used"))
      .where("organisation_id", "=", (eb) => eb.selectFrom("accounts").select("organisation_id").where("id", "=", owner.id))
      .executeTakeFirstOrThrow();
    const uploadBytes = Math.ceil((1_000 - Number(used)) * 0.6);
    const first = await createTusUpload(testApp, owner, uploadBytes, metadata);
    await expect(createTusUpload(testApp, owner, uploadBytes, metadata)).rejects.toThrow(/^413 .*enough storage left/);
    await testApp.send(owner, { method: "DELETE", url: first, headers: { "tus-resumable": "1.0.0" } });
    await createTusUpload(testApp, owner, uploadBytes, metadata);
  });
});
