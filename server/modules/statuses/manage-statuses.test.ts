/** Tests a team's status changes and tag corrections: their effect on files and the events that they emit. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MUSIC_KEYS } from "../../../contract/music-keys.ts";
import * as chat from "../../../contract/operations/chat.ts";
import * as view from "../../../contract/operations/files-view.ts";
import * as files from "../../../contract/operations/files.ts";
import * as statuses from "../../../contract/operations/statuses.ts";
import * as tags from "../../../contract/operations/tags.ts";
import * as teams from "../../../contract/operations/teams.ts";
import type { FileStatus } from "../../../contract/records.ts";
import { keyName } from "../../media/music/key.ts";
import type { Caller } from "../../testing/client.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createTusUpload, currentVersion, EXTERNAL_FILE_URL, markProcessed, upload } from "../../testing/files.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { openSocket, waitUntil } from "../../testing/live.ts";
import { createApiToken } from "../../testing/people.ts";
import { sendRawRequest, listen } from "../../testing/raw-socket.ts";
import { syncFileFacts } from "../files/facts.ts";

it("what the analysis calls a key is what somebody may put in its place", () => {
  const keyNames = Array.from({ length: 12 }, (_, tonic) => [keyName(tonic, "major"), keyName(tonic, "minor")]).flat();
  expect(keyNames.toSorted()).toEqual([...MUSIC_KEYS].toSorted());
});

describe.each(ENGINES)("the review on %s", { timeout: 60_000 }, (engine) => {
  let cast: Fixtures;
  let base: string;
  beforeAll(async () => {
    cast = await createFixtures(engine);
    base = await listen(cast.testApp);
  }, 60_000);
  afterAll(() => cast.testApp.close());

  let sequence = 0;
  const uploadFile = (name = `review ${++sequence}.wav`) => upload(cast.testApp, cast.owner, { parent: cast.home.folder, name });
  const listStatuses = async (team = cast.home.team) => (await cast.testApp.call(cast.owner, teams.listFileStatuses, { body: { team_id: team } })).response;
  const createStatus = async (title = `Status ${++sequence}`): Promise<FileStatus> =>
    (await cast.testApp.call(cast.admin, statuses.createFileStatus, { params: { team_id: cast.home.team }, body: { title, color: 2 } })).response.data;
  const deleteStatus = (id: number, replacement?: number) =>
    cast.testApp.call(cast.admin, statuses.deleteFileStatus, {
      params: { status_id: id },
      query: replacement === undefined ? {} : { replacement_id: String(replacement) },
    });
  const setStatus = (file_id: number, status_id: number, by: Caller = cast.member, overrides: object = {}) =>
    cast.testApp.call(by, files.setFileStatus, { body: { file_id, status_id, ...overrides } });
  const getFileInfo = async (file_id: number) => (await cast.testApp.call(cast.guest, files.getFileInfo, { body: { file_id } })).response;
  const loadRevision = async (id: number) =>
    (await cast.testApp.database.read.selectFrom("files").select("revision").where("id", "=", id).executeTakeFirstOrThrow()).revision;
  const loadStatusHistory = async (file_id: number) => (await cast.testApp.call(cast.guest, files.statusHistory, { params: { file_id } })).response.data;
  const loadStatusEvents = async (file: number) =>
    (await cast.testApp.database.read.selectFrom("outbound_events").selectAll().where("type", "=", "file.status_changed").execute())
      .map(({ data }) => JSON.parse(data) as { id: number; old_status: FileStatus; new_status: FileStatus })
      .filter(({ id }) => id === file);
  const loadStatusesChangedEvents = async () =>
    (await cast.testApp.database.read.selectFrom("events").select("data").where("type", "=", "statuses.changed").orderBy("seq").execute()).map(({ data }) =>
      JSON.parse(data),
    );

  describe("a team's statuses", () => {
    it("deleted: each file that has it gets the other one, as if somebody had set it; its history keeps the old title", async () => {
      const { testApp, owner } = cast;
      const [from, to] = [await createStatus("Rough"), await createStatus("Polished")];
      await testApp.call(cast.admin, statuses.setDefaultFileStatus, { params: { team_id: cast.home.team }, body: { status_id: from.id } });
      const [first, second, deleted, other] = [await uploadFile(), await uploadFile(), await uploadFile(), await uploadFile()];
      expect((await getFileInfo(first)).common.status).toMatchObject({ title: "Rough" });
      await setStatus(other, to.id);
      await testApp.call(owner, files.deleteFile, { body: { file_id: deleted } });
      expect((await testApp.call(cast.admin, statuses.getFileStatusUsage, { params: { status_id: from.id } })).response.data.file_count).toBe(2);
      expect((await deleteStatus(from.id)).problem.detail).toContain("2 files have");
      const before = await loadRevision(first);
      const response = (await deleteStatus(from.id, to.id)).response;
      expect([response.data.map(({ title }) => title), response.default_status_id]).toEqual([expect.not.arrayContaining(["Rough"]), to.id]);
      expect((await loadStatusesChangedEvents()).at(-1)).toEqual({
        team_id: cast.home.team,
        statuses: response.data,
        default_status_id: to.id,
        replaced: { status_id: from.id, replacement_id: to.id },
      });
      for (const file of [first, second]) {
        expect((await getFileInfo(file)).common.status).toEqual(to);
        expect(await loadStatusEvents(file)).toMatchObject([{ old_status: from, new_status: to, changed_by_account_id: cast.admin.id }]);
        expect(await loadStatusHistory(file)).toMatchObject([{ old_status: from, new_status: to, note: "", changed_by_account_id: cast.admin.id }]);
      }
      expect(await loadRevision(first)).toBe(before + 1);
      expect(await loadStatusEvents(deleted)).toEqual([]);
      const [restored] = (await testApp.call(owner, view.restoreFiles, { body: { file_ids: [deleted] } })).response.data;
      expect(restored?.status).toEqual(to);
      expect(await loadStatusEvents(other)).toHaveLength(1);
      expect((await setStatus(first, from.id)).status).toBe(400);
      // Deleting a status frees its title.
      expect((await createStatus("rough")).id).toBeGreaterThan(to.id);
      await testApp.call(cast.admin, statuses.setDefaultFileStatus, { params: { team_id: cast.home.team }, body: { status_id: null } });
    });

    it("deleted while everybody sets it: no file is left with it", async () => {
      const [from, to] = [await createStatus(), await createStatus()];
      const fileIds = await Promise.all(Array.from({ length: 8 }, () => uploadFile()));
      const replies = await Promise.all([
        ...fileIds.slice(0, 4).map((file) => setStatus(file, from.id)),
        deleteStatus(from.id, to.id),
        ...fileIds.slice(4).map((file) => setStatus(file, from.id)),
      ]);
      for (const { status } of replies) expect([200, 400]).toContain(status);
      const fileRows = await cast.testApp.database.read.selectFrom("files").select(["id", "status_id", "status_rank"]).where("id", "in", fileIds).execute();
      for (const row of fileRows)
        expect([
          [to.id, to.position],
          [null, -1],
        ]).toContainEqual([row.status_id, row.status_rank]);
      // Each change emitted one event.
      for (const file of fileIds) expect((await loadStatusEvents(file)).length).toBe((await loadStatusHistory(file)).length);
    });

    it("in another order: files sorted by status follow, nothing is fired", async () => {
      const { testApp, member, home } = cast;
      const [firstStatus, secondStatus] = [await createStatus(), await createStatus()];
      const [high, low] = [await uploadFile(), await uploadFile()];
      await Promise.all([setStatus(high, firstStatus.id), setStatus(low, secondStatus.id)]);
      const listByStatus = async () =>
        (
          await testApp.call(member, view.listFiles, { params: { project_id: home.project }, query: { deep: "true", sort: "status", limit: "500" } })
        ).response.data
          .map(({ id }) => id)
          .filter((id) => id === high || id === low);
      expect(await listByStatus()).toEqual([high, low]);
      const ids = (await listStatuses()).data.map(({ id }) => id);
      const reorder = (orderedIds: number[]) =>
        testApp.call(cast.admin, statuses.orderFileStatuses, { params: { team_id: home.team }, body: { ids: orderedIds } });
      const swapped = ids.map((id) => (id === firstStatus.id ? secondStatus.id : id === secondStatus.id ? firstStatus.id : id));
      expect((await reorder(swapped)).response.data.map(({ id, position }) => [id, position])).toEqual(swapped.map((id, index) => [id, index + 1]));
      expect(await listByStatus()).toEqual([low, high]);
      const events = (await loadStatusesChangedEvents()).length;
      await reorder(swapped);
      expect([(await loadStatusesChangedEvents()).length, (await loadStatusEvents(high)).length]).toEqual([events, 1]);
    });

    it("added once under one key, also by many at once; of two that take one title the second is told", async () => {
      const { testApp, owner, admin, home, apart } = cast;
      const add = (title: string, key: string, by: Caller = owner, team_id = home.team) =>
        testApp.call(by, statuses.createFileStatus, { params: { team_id }, body: { title, color: 1 } }, { headers: { "idempotency-key": key } });
      const twins = await Promise.all(Array.from({ length: 8 }, () => add("Keyed", "one")));
      expect(new Set(twins.map(({ response }) => response.data.id)).size).toBe(1);
      expect((await add("Other", "one")).status).toBe(409);
      // The other team has no status yet that could be locked.
      for (const team of [home.team, apart.team]) {
        const racing = await Promise.all([add("Taken", `two-${team}`, owner, team), add("TAKEN", `three-${team}`, admin, team)]);
        expect(racing.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
      }
    });

    it("who sees the team hears of them; everybody else keeps the order and reads nothing", async () => {
      const { testApp, owner, member, guest, foreignOwner, home, apart } = cast;
      const { organisation_id } = await testApp.database.read
        .selectFrom("teams")
        .select("organisation_id")
        .where("id", "=", home.team)
        .executeTakeFirstOrThrow();
      const topic = `organisation:${organisation_id}`;
      const sockets = await Promise.all([owner, member, guest].map((by) => openSocket(testApp.app.server, by)));
      for (const socket of sockets) await socket.subscribe(topic);
      const stranger = await openSocket(testApp.app.server, foreignOwner);
      expect(await stranger.subscribe(topic)).toHaveProperty("refused");
      for (const { team } of [apart, home]) {
        const body = { title: `Heard ${engine}`, color: 1 };
        await testApp.call(owner, statuses.createFileStatus, { params: { team_id: team }, body });
      }
      for (const socket of sockets)
        await waitUntil(
          () => socket.events(topic).length === 2,
          "two events",
          () => socket.frames,
        );
      expect(sockets.map((socket) => socket.events(topic).map(({ type, data }) => [type, data["team_id"]]))).toEqual([
        [
          ["statuses.changed", apart.team],
          ["statuses.changed", home.team],
        ],
        [
          ["withheld", undefined],
          ["statuses.changed", home.team],
        ],
        [
          ["withheld", undefined],
          ["statuses.changed", home.team],
        ],
      ]);
      await Promise.all([...sockets, stranger].map((socket) => socket.close()));
    });
  });

  it("new uploads begin with the default, in every way they come; folders and new versions do not", async () => {
    const { testApp, member, owner, home } = cast;
    const { id, title } = await createStatus();
    await testApp.call(cast.admin, statuses.setDefaultFileStatus, { params: { team_id: home.team }, body: { status_id: id } });
    const by = await createApiToken(testApp, member);
    const resumable = async (metadata: Record<string, string | number>) => {
      const path = await createTusUpload(testApp, by, 3, metadata);
      const headers = { "tus-resumable": "1.0.0", "content-type": "application/offset+octet-stream", "upload-offset": "0" };
      await sendRawRequest(base, by, { method: "PATCH", path, headers, body: Buffer.from("abc") });
      return (await testApp.call(by, files.getUpload, { params: { upload_id: path.split("/").at(-1)! } })).response.data.file_id!;
    };
    const external = (await testApp.call(member, files.uploadExternal, { body: { url: EXTERNAL_FILE_URL, parent_id: home.folder } })).response.file_id;
    const inFolder = await resumable({ name: "deep.wav", parent_id: home.folder, path: `New ${sequence}/Below` });
    const fileIds = [await uploadFile(), await resumable({ name: "chat.wav", project_id: home.project }), external, inFolder];
    for (const file of fileIds) {
      expect((await getFileInfo(file)).common.status?.title).toBe(title);
      expect([await loadStatusEvents(file), await loadStatusHistory(file)]).toEqual([[], []]);
    }
    const uploaded = await testApp.database.read.selectFrom("outbound_events").select("data").where("type", "=", "file.uploaded").execute();
    expect(uploaded.map(({ data }) => JSON.parse(data)).find((data) => data.id === external).status.title).toBe(title);
    const fileRow = await testApp.database.read
      .selectFrom("files")
      .select(["id", "status_id", "parent_id"])
      .where("id", "=", inFolder)
      .executeTakeFirstOrThrow();
    const folder = await testApp.database.read.selectFrom("files").select("status_id").where("id", "=", fileRow.parent_id!).executeTakeFirstOrThrow();
    expect(folder.status_id).toBeNull();
    const approved = (await listStatuses()).data.find((status) => status.title === "Approved")!;
    await setStatus(fileIds[0]!, approved.id);
    await upload(testApp, owner, { versionOf: fileIds[0]!, bytes: "another" });
    expect((await getFileInfo(fileIds[0]!)).common.status?.title).toBe("Approved");
    // Another team of the organisation has its own default.
    expect(
      (await testApp.call(owner, files.getFileInfo, { body: { file_id: await upload(testApp, owner, { parent: cast.apart.folder }) } })).response.common.status,
    ).toBeNull();
    expect((await deleteStatus(id, approved.id)).response.default_status_id).toBe(approved.id);
    await testApp.call(cast.admin, statuses.setDefaultFileStatus, { params: { team_id: home.team }, body: { status_id: null } });
  });

  it("of two who set a status at once, the second is told what the first has set, and nothing of theirs is fired", async () => {
    const file = await uploadFile();
    const [firstStatus, secondStatus, thirdStatus] = (await listStatuses()).data;
    const both = await Promise.all([
      setStatus(file, firstStatus!.id, cast.member, { if_status_id: null }),
      setStatus(file, secondStatus!.id, cast.admin, { if_status_id: null }),
    ]);
    const [winner, loser] = both.toSorted((a, b) => a.status - b.status);
    const { status } = winner!.response.data;
    expect(loser!.problem).toMatchObject({ status: 409, current_status: status });
    expect((await loadStatusEvents(file)).map(({ new_status }) => new_status.id)).toEqual([status?.id]);
    // Setting the current status again is no conflict; neither is a change based on the current status.
    expect((await setStatus(file, status!.id, cast.member, { if_status_id: null })).status).toBe(200);
    expect((await setStatus(file, thirdStatus!.id, cast.member, { if_status_id: status!.id })).status).toBe(200);
    expect((await setStatus(file, firstStatus!.id, cast.member, { if_status_id: status!.id })).problem["current_status"]).toMatchObject({
      id: thirdStatus!.id,
    });
  });

  it("tags put right by hand stand wherever they are shown, filtered and sorted by; and stay", async () => {
    const { testApp, member, guest, home } = cast;
    const [file, other] = [await uploadFile(), await uploadFile()];
    for (const id of [file, other]) await markProcessed(testApp, id);
    await testApp.call(member, chat.sendMessage, { body: { project_id: home.project, body: "at half time", attachment_ids: [file] } });
    const correctTags = (body: { bpm?: number | null; key?: "G minor" | null }) => testApp.call(member, tags.correctTags, { params: { file_id: file }, body });
    await correctTags({ bpm: 60.5, key: "G minor" });
    const listIds = async (query: Record<string, string>) =>
      (await testApp.call(guest, view.listFiles, { params: { project_id: home.project }, query: { deep: "true", limit: "500", ...query } })).response.data.map(
        ({ id }) => id,
      );
    const loadAttachedAudio = async () =>
      (await testApp.call(guest, chat.chatHistory, { body: { project_id: home.project } })).response.data
        .flatMap(({ attachments }) => attachments)
        .findLast(({ id }) => id === file)?.audio;
    const loadDisplayedTags = async () => {
      const { file_info: fileInfo, ai_tags } = await getFileInfo(file);
      const { bpm, key } = (await loadAttachedAudio()) ?? {};
      return { info: [fileInfo["bpm"], fileInfo["key"]], corrected: fileInfo["corrected"], chat: [bpm, key], found: [ai_tags.bpm, ai_tags.key] };
    };
    const expected = { info: [60.5, "G minor"], corrected: { bpm: true, key: true }, chat: [60.5, "G minor"], found: [120, ["A minor"]] };
    expect(await loadDisplayedTags()).toEqual(expected);
    expect(await listIds({ key: "G minor" })).toEqual([file]);
    expect(await listIds({ bpm_max: "61" })).toEqual([file]);
    const sortedIds = (await listIds({ sort: "bpm" })).filter((id) => id === file || id === other);
    expect(sortedIds).toEqual([file, other]);
    const facets = (await testApp.call(guest, view.getFileFacets, { params: { project_id: home.project } })).response.data;
    expect([facets.keys.find(({ key }) => key === "G minor")?.count, facets.bpm?.min]).toEqual([1, 60.5]);
    const liveEvents = await testApp.database.read
      .selectFrom("events")
      .select(["type", "data"])
      .where("topic", "=", `project:${home.project}`)
      .orderBy("seq", "desc")
      .limit(2)
      .execute();
    expect(liveEvents.map(({ type, data }) => [type, JSON.parse(data).id])).toEqual([
      ["attachment.updated", file],
      ["file.updated", file],
    ]);
    expect(JSON.parse(liveEvents[1]!.data)).toMatchObject({ bpm: 60.5, key: "G minor" });

    // Stores another analysis result, then uploads a new version.
    const version = await currentVersion(testApp, file);
    await testApp.call(member, tags.regenerateTags, { params: { file_id: file } });
    const newTags = JSON.stringify({ ...JSON.parse(version.tags ?? ""), bpm: 121 });
    await testApp.database.write(async (tx) => {
      await tx.updateTable("file_versions").set({ tags: newTags }).where("id", "=", version.id).execute();
      await syncFileFacts(tx, version.id);
    });
    expect(await loadDisplayedTags()).toEqual({ ...expected, found: [121, ["A minor"]] });
    await upload(testApp, member, { versionOf: file, bytes: "take two" });
    await markProcessed(testApp, file);
    expect(await loadDisplayedTags()).toEqual(expected);
    const revision = await loadRevision(file);
    await correctTags({ bpm: 60.5 });
    expect(await loadRevision(file)).toBe(revision);
    await correctTags({ bpm: null });
    expect((await loadDisplayedTags()).info).toEqual([120, "G minor"]);
    await correctTags({ key: null });
    expect([await loadDisplayedTags(), await listIds({ key: "G minor" })]).toEqual([
      // The message carries the first version.
      { info: [120, "A minor"], corrected: { bpm: false, key: false }, chat: [121, "A minor"], found: [120, ["A minor"]] },
      [],
    ]);
  });
});
