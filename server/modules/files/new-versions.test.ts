/** Tests what a new version does to its file's status, and who may add one. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as view from "../../../contract/operations/files-view.ts";
import * as files from "../../../contract/operations/files.ts";
import * as statuses from "../../../contract/operations/statuses.ts";
import { listFileStatuses } from "../../../contract/operations/teams.ts";
import type { FileStatus } from "../../../contract/records.ts";
import type { Caller } from "../../testing/client.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createFailingDatabase } from "../../testing/failing-database.ts";
import { createFolder, createTusUpload, tusHeaders, upload } from "../../testing/files.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { createApiToken } from "../../testing/people.ts";
import { listen, sendRawRequest } from "../../testing/raw-socket.ts";
import { stateFingerprint } from "../../testing/state-fingerprint.ts";

describe.each(ENGINES)("new versions on %s", { timeout: 60_000 }, (engine) => {
  let fixtures: Fixtures;
  let base: string;
  let [inProgress, inReview, approved]: FileStatus[] = [];
  const breaker = createFailingDatabase(engine);
  beforeAll(async () => {
    fixtures = await createFixtures(engine, { connect: breaker.connect });
    base = await listen(fixtures.testApp);
    const { data } = (await fixtures.testApp.call(fixtures.owner, listFileStatuses, { body: { team_id: fixtures.home.team } })).response;
    [inProgress, inReview, , approved] = data;
  }, 60_000);
  afterAll(() => fixtures.testApp.close());

  let sequence = 0;
  const uploadFile = (by: Caller, parent = fixtures.home.folder) => upload(fixtures.testApp, by, { parent, name: `song ${++sequence}.wav` });
  const addVersion = (by: Caller, versionOf: number) =>
    fixtures.testApp.callUntyped(by, files.uploadFile, { query: { version_of: versionOf }, bytes: Buffer.from(`bytes ${++sequence}`) });
  const setStatus = (file_id: number, { id }: FileStatus) => fixtures.testApp.call(fixtures.member, files.setFileStatus, { body: { file_id, status_id: id } });
  const getStatus = async (file_id: number) =>
    (await fixtures.testApp.call(fixtures.guest, files.getFileInfo, { body: { file_id } })).response.common.status?.title ?? null;
  const loadHistory = async (file_id: number) => (await fixtures.testApp.call(fixtures.guest, files.listStatusChanges, { params: { file_id } })).response.data;
  const loadWebhookEvents = async (id: number) =>
    (await fixtures.testApp.database.read.selectFrom("outbound_events").selectAll().execute())
      .map(({ type, data }) => ({ type, data: JSON.parse(data) }))
      .filter(({ data }) => data.id === id);
  const loadLiveEvents = async (id: number) =>
    (
      await fixtures.testApp.database.read
        .selectFrom("events")
        .select(["type", "data"])
        .where("topic", "=", `project:${fixtures.home.project}`)
        .orderBy("seq")
        .execute()
    )
      .map(({ type, data }) => ({ type, data: JSON.parse(data) }))
      .filter(({ data }) => data.id === id);
  const updateTeam = (new_version_resets_status: boolean) =>
    fixtures.testApp.call(fixtures.admin, statuses.updateTeam, { params: { team_id: fixtures.home.team }, body: { new_version_resets_status } });

  it("reset the status to the team's first, with history, one live event and a webhook", async () => {
    const { member, owner } = fixtures;
    const file = await uploadFile(owner);
    await setStatus(file, approved!);
    const before = await loadLiveEvents(file);
    expect((await addVersion(member, file)).status).toBe(200);
    expect(await getStatus(file)).toBe("In progress");
    expect((await loadHistory(file))[0]).toMatchObject({
      old_status: approved,
      new_status: inProgress,
      note: "New version 2",
      changed_by_account_id: member.id,
    });
    const live = (await loadLiveEvents(file)).slice(before.length);
    expect(live.map(({ type, data }) => [type, data.version, data.status.title])).toEqual([["file.updated", 2, "In progress"]]);
    const [uploaded, changed, ...rest] = (await loadWebhookEvents(file)).slice(-2);
    expect(uploaded).toMatchObject({ type: "file.uploaded", data: { version: 2, status: inProgress } });
    expect(changed).toMatchObject({
      type: "file.status_changed",
      data: { old_status: approved, new_status: inProgress, changed_by_account_id: member.id, version: 2 },
    });
    expect(rest).toEqual([]);
    const sorted = await fixtures.testApp.database.read.selectFrom("files").select("status_rank").where("id", "=", file).executeTakeFirstOrThrow();
    expect(sorted.status_rank).toBe(inProgress!.position);
  });

  it("take it back to the status of new uploads, if the team has chosen one", async () => {
    const { testApp, admin, owner, home } = fixtures;
    const file = await uploadFile(owner);
    await setStatus(file, approved!);
    const setDefault = (status_id: number | null) =>
      testApp.call(admin, statuses.setDefaultFileStatus, { params: { team_id: home.team }, body: { status_id } });
    await setDefault(inReview!.id);
    await addVersion(owner, file);
    expect(await getStatus(file)).toBe("In review");
    await setDefault(null);
  });

  it("leave no entry where nothing changes: the first status, none, and a first version", async () => {
    const { owner } = fixtures;
    const [first, none] = [await uploadFile(owner), await uploadFile(owner)];
    await setStatus(first, inProgress!);
    for (const file of [first, none]) {
      const history = await loadHistory(file);
      await addVersion(owner, file);
      expect(await loadHistory(file)).toEqual(history);
      expect((await loadWebhookEvents(file)).filter(({ type }) => type === "file.status_changed")).toHaveLength(history.length);
    }
    expect([await getStatus(first), await getStatus(none)]).toEqual(["In progress", null]);
  });

  it("keep the status where the team has switched it off, which everybody in the team learns", async () => {
    const { testApp, guest, owner, home } = fixtures;
    const file = await uploadFile(owner);
    await setStatus(file, approved!);
    expect((await updateTeam(false)).response.data).toMatchObject({ id: home.team, new_version_resets_status: false });
    expect((await testApp.call(guest, listFileStatuses, { body: { team_id: home.team } })).response).toMatchObject({ new_version_resets_status: false });
    const events = await testApp.database.read.selectFrom("events").select("data").where("type", "=", "statuses.changed").orderBy("seq").execute();
    expect(JSON.parse(events.at(-1)!.data)).toMatchObject({ team_id: home.team, new_version_resets_status: false });
    // The same value again publishes nothing.
    await updateTeam(false);
    expect(await testApp.database.read.selectFrom("events").select("data").where("type", "=", "statuses.changed").execute()).toHaveLength(events.length);
    await addVersion(owner, file);
    expect([await getStatus(file), (await loadHistory(file)).length]).toEqual(["Approved", 1]);
    await updateTeam(true);
  });

  it("change nothing if their transaction fails, and reset the status once however often they are sent", async () => {
    const { testApp, owner } = fixtures;
    const file = await uploadFile(owner);
    await setStatus(file, approved!);
    const before = await stateFingerprint(testApp.database);
    expect((await breaker.withFailingCommits(() => addVersion(owner, file))).status).toBe(500);
    expect(await stateFingerprint(testApp.database)).toBe(before);
    const request = { query: { version_of: file }, bytes: Buffer.from("once") };
    for (const _ of [1, 2]) {
      const { status, response } = await testApp.callUntyped(owner, files.uploadFile, request, { headers: { "idempotency-key": "once" } });
      expect([status, response]).toEqual([200, { file_id: file, version: 2 }]);
    }
    expect(await loadHistory(file)).toHaveLength(2);
  });

  it("and simultaneous changes of the status form one chain", async () => {
    const { owner, member } = fixtures;
    const file = await uploadFile(owner);
    await setStatus(file, approved!);
    const replies = await Promise.all([addVersion(owner, file), setStatus(file, inReview!), addVersion(member, file), setStatus(file, approved!)]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const chain = (await loadHistory(file)).toReversed();
    for (const [index, { old_status, new_status }] of chain.entries()) {
      expect(old_status?.id ?? null).toBe(chain[index - 1]?.new_status.id ?? null);
      expect(new_status.id).not.toBe(old_status?.id);
    }
    expect(await getStatus(file)).toBe(chain.at(-1)!.new_status.title);
    expect((await loadWebhookEvents(file)).filter(({ type }) => type === "file.status_changed")).toHaveLength(chain.length);
  });

  it("of a deleted file become a new file, and the restored file keeps its status", async () => {
    const { testApp, owner } = fixtures;
    const file = await uploadFile(owner);
    await setStatus(file, approved!);
    const by = await createApiToken(testApp, owner);
    const path = await createTusUpload(testApp, by, 3, { version_of: file });
    await testApp.call(owner, view.deleteFiles, { body: { file_ids: [file] } });
    expect((await sendBytes(by, path)).status).toBe(200);
    await testApp.call(owner, view.restoreFiles, { body: { file_ids: [file] } });
    expect([await getStatus(file), (await loadHistory(file)).length]).toEqual(["Approved", 1]);
  });

  const sendBytes = (by: Caller, path: string) => {
    const headers = { "tus-resumable": "1.0.0", "content-type": "application/offset+octet-stream", "upload-offset": "0" };
    return sendRawRequest(base, by, { method: "PATCH", path, headers, body: Buffer.from("abc") });
  };

  it("of guests are refused for others' files, and for their own ones that are protected or final", async () => {
    const { testApp, guest, owner, home } = fixtures;
    const [others, own, protectedFile, finalFile] = [await uploadFile(owner), await uploadFile(guest), await uploadFile(guest), await uploadFile(guest)];
    const folder = await createFolder(testApp, owner, home.root, `Protected ${engine}`);
    const inProtectedFolder = await uploadFile(guest, await createFolder(testApp, owner, folder, "Inside"));
    for (const file_id of [protectedFile, folder]) await testApp.call(owner, view.updateFile, { params: { file_id }, body: { removal_protection: true } });
    await setStatus(finalFile, approved!);
    const before = await stateFingerprint(testApp.database);
    for (const [file, reason] of [
      [others, "only to files that they added"],
      [protectedFile, "protected from removal"],
      [inProtectedFolder, "protected from removal"],
      [finalFile, '"Approved"'],
    ] as const) {
      const headers = tusHeaders(3, { version_of: file });
      const replies = [await addVersion(guest, file), await testApp.send(guest, { method: "POST", url: files.createUpload.path, headers })];
      for (const { status, problem } of replies) expect([status, problem.detail]).toEqual([403, expect.stringContaining(reason)]);
    }
    expect(await stateFingerprint(testApp.database)).toBe(before);
    expect((await addVersion(guest, own)).status).toBe(200);
    for (const file of [others, protectedFile, inProtectedFolder, finalFile]) expect((await addVersion(fixtures.member, file)).status).toBe(200);
  });

  it("are refused at their end too, and can be finished once they are allowed again", async () => {
    const { testApp, guest } = fixtures;
    const file = await uploadFile(guest);
    const by = await createApiToken(testApp, guest);
    const path = await createTusUpload(testApp, by, 3, { version_of: file });
    await setStatus(file, approved!);
    expect((await sendBytes(by, path)).status).toBe(403);
    expect(await getStatus(file)).toBe("Approved");
    await setStatus(file, inReview!);
    const { response } = await testApp.call(by, files.getUpload, { params: { upload_id: path.split("/").at(-1)! } });
    expect(response.data).toMatchObject({ file_id: file, version: 2 });
  });

  it("are allowed where a status is no longer final", async () => {
    const { testApp, guest, admin } = fixtures;
    const file = await uploadFile(guest);
    await setStatus(file, approved!);
    const setFinal = (is_final: boolean) => testApp.call(admin, statuses.updateFileStatus, { params: { status_id: approved!.id }, body: { is_final } });
    expect((await setFinal(false)).response.data).toMatchObject({ title: "Approved", is_final: false });
    expect((await addVersion(guest, file)).status).toBe(200);
    await setFinal(true);
  });
});
