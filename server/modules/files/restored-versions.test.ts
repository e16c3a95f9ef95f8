/** A restored version has the bytes of the earlier one, which stay as long as a message or comment shows either of them. */
import { describe, expect, it, onTestFinished } from "vitest";
import { sendMessage } from "../../../contract/operations/chat.ts";
import { writeComment } from "../../../contract/operations/comments.ts";
import { getContent, listStatusChanges, listVersions, restoreVersion } from "../../../contract/operations/files.ts";
import { deleteFiles } from "../../../contract/operations/files-view.ts";
import { DAY } from "../../lib/clock.ts";
import { ENGINES } from "../../testing/engines.ts";
import { currentVersion, openStorage, storedBytes, upload } from "../../testing/files.ts";
import { createFixtures } from "../../testing/fixtures.ts";
import { purgeDeletedFiles } from "./retention.ts";

describe.each(ENGINES)("a restored version on %s", { timeout: 60_000 }, (engine) => {
  it("has the earlier bytes without storing them again, and they outlive the file while a message shows the earlier version", async () => {
    const { testApp, member, home } = await createFixtures(engine);
    onTestFinished(() => testApp.close());
    const { call, database, clock } = testApp;
    const file_id = await upload(testApp, member, { parent: home.folder, name: "song.txt", bytes: "first" });
    await call(member, sendMessage, { body: { project_id: home.project, body: "Listen", attachment_ids: [file_id] } });
    const first = await currentVersion(testApp, file_id);
    await upload(testApp, member, { versionOf: file_id, bytes: "second" });
    const bytes = await storedBytes(testApp);

    expect((await call(member, restoreVersion, { params: { file_id, number: 1 } })).response.data).toMatchObject({ version: 3, size: 5 });
    expect((await call(member, listVersions, { params: { file_id } })).response.data.map(({ number, size }) => [number, size])).toEqual([
      [3, 5],
      [2, 6],
      [1, 5],
    ]);
    const params = { file_id, number: 3, variant: "original" as const };
    expect((await testApp.callUntyped(member, getContent, { params })).text).toBe("first");
    expect(await storedBytes(testApp)).toBe(bytes);
    // The status history has nothing to say about a file without a status.
    expect((await call(member, listStatusChanges, { params: { file_id } })).response.data).toEqual([]);
    // It is processed like an upload.
    const { id } = await currentVersion(testApp, file_id);
    expect(await database.read.selectFrom("jobs").select("kind").where("subject_id", "=", id).execute()).toEqual([{ kind: "media" }]);

    await call(member, deleteFiles, { body: { file_ids: [file_id] } });
    clock.advance(31 * DAY);
    await purgeDeletedFiles({ database, storage: openStorage(testApp), clock });
    expect(await openStorage(testApp).size(first.blob_key)).toBe(5);
  });

  it("is added once, however often the request is repeated, and not again while the current version has the same bytes", async () => {
    const { testApp, member, home } = await createFixtures(engine);
    onTestFinished(() => testApp.close());
    const file_id = await upload(testApp, member, { parent: home.folder, name: "song.txt", bytes: "first" });
    await upload(testApp, member, { versionOf: file_id, bytes: "second" });
    const restore = (number: number, key: string) =>
      testApp.call(member, restoreVersion, { params: { file_id, number } }, { headers: { "idempotency-key": key } });
    const replies = [await restore(1, "one"), await restore(1, "one")];
    expect(replies.map(({ status, response }) => [status, response.data.version])).toEqual([
      [200, 3],
      [200, 3],
    ]);
    // The key is that of another request.
    expect((await restore(2, "one")).status).toBe(409);
    // The current version is the third one, which has the bytes of the first.
    expect((await restore(1, "two")).status).toBe(409);
    expect((await restore(2, "three")).response.data.version).toBe(4);
  });

  it("keeps the bytes as well while a comment shows the earlier version, and lets them go with the comment", async () => {
    const { testApp, member, home } = await createFixtures(engine);
    onTestFinished(() => testApp.close());
    const { call, database, clock } = testApp;
    const file_id = await upload(testApp, member, { parent: home.folder, name: "song.txt", bytes: "first" });
    const written = await call(member, writeComment, { params: { file_id: home.file }, body: { body: "Listen", attachment_ids: [file_id] } });
    const first = await currentVersion(testApp, file_id);
    await upload(testApp, member, { versionOf: file_id, bytes: "second" });
    const second = await currentVersion(testApp, file_id);
    await call(member, restoreVersion, { params: { file_id, number: 1 } });
    await call(member, deleteFiles, { body: { file_ids: [file_id] } });
    clock.advance(31 * DAY);
    const storage = openStorage(testApp);
    // Only the second version goes: the third one has the bytes of the first.
    expect(await purgeDeletedFiles({ database, storage, clock })).toBe(1);
    expect([await storage.size(first.blob_key), await storage.size(second.blob_key)]).toEqual([5, null]);

    const comment = written.response.data.id;
    await database.write((tx) => tx.updateTable("comments").set({ deleted_at: clock.now() }).where("id", "=", comment).execute());
    expect(await purgeDeletedFiles({ database, storage, clock })).toBe(2);
    expect(await storage.size(first.blob_key)).toBeNull();
  });
});
