/** Tests changes to a team's statuses: their effect on files and the events that they emit. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as view from "../../../contract/operations/files-view.ts";
import * as files from "../../../contract/operations/files.ts";
import * as statuses from "../../../contract/operations/statuses.ts";
import * as teams from "../../../contract/operations/teams.ts";
import type { FileStatus } from "../../../contract/records.ts";
import type { Caller } from "../../testing/client.ts";
import { ENGINES } from "../../testing/engines.ts";
import { upload } from "../../testing/files.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { openSocket, waitUntil } from "../../testing/live.ts";
import { listen } from "../../testing/raw-socket.ts";

describe.each(ENGINES)("managing statuses on %s", { timeout: 60_000 }, (engine) => {
  let fixtures: Fixtures;
  beforeAll(async () => {
    fixtures = await createFixtures(engine);
    await listen(fixtures.testApp);
  }, 60_000);
  afterAll(() => fixtures.testApp.close());

  let sequence = 0;
  const uploadFile = (name = `review ${++sequence}.wav`) => upload(fixtures.testApp, fixtures.owner, { parent: fixtures.home.folder, name });
  const listStatuses = async (team = fixtures.home.team) =>
    (await fixtures.testApp.call(fixtures.owner, teams.listFileStatuses, { body: { team_id: team } })).response;
  const createStatus = async (title = `Status ${++sequence}`): Promise<FileStatus> =>
    (await fixtures.testApp.call(fixtures.admin, statuses.createFileStatus, { params: { team_id: fixtures.home.team }, body: { title, color: 2 } })).response
      .data;
  const deleteStatus = (id: number, replacement?: number) =>
    fixtures.testApp.call(fixtures.admin, statuses.deleteFileStatus, {
      params: { status_id: id },
      query: replacement === undefined ? {} : { replacement_id: String(replacement) },
    });
  const setStatus = (file_id: number, status_id: number, by: Caller = fixtures.member, overrides: object = {}) =>
    fixtures.testApp.call(by, files.setFileStatus, { body: { file_id, status_id, ...overrides } });
  const getFileInfo = async (file_id: number) => (await fixtures.testApp.call(fixtures.guest, files.getFileInfo, { body: { file_id } })).response;
  const loadRevision = async (id: number) =>
    (await fixtures.testApp.database.read.selectFrom("files").select("revision").where("id", "=", id).executeTakeFirstOrThrow()).revision;
  const loadStatusHistory = async (file_id: number) =>
    (await fixtures.testApp.call(fixtures.guest, files.listStatusChanges, { params: { file_id } })).response.data;
  const loadStatusEvents = async (file: number) =>
    (await fixtures.testApp.database.read.selectFrom("outbound_events").selectAll().where("type", "=", "file.status_changed").execute())
      .map(({ data }) => JSON.parse(data) as { id: number; old_status: FileStatus; new_status: FileStatus })
      .filter(({ id }) => id === file);
  const loadStatusesChangedEvents = async () =>
    (await fixtures.testApp.database.read.selectFrom("events").select("data").where("type", "=", "statuses.changed").orderBy("seq").execute()).map(({ data }) =>
      JSON.parse(data),
    );

  describe("a team's statuses", () => {
    it("deleting one sets the replacement on its files with history and event, and the history keeps the old title", async () => {
      const { testApp, owner } = fixtures;
      const [from, to] = [await createStatus("Rough"), await createStatus("Polished")];
      await testApp.call(fixtures.admin, statuses.setDefaultFileStatus, { params: { team_id: fixtures.home.team }, body: { status_id: from.id } });
      const [first, second, deleted, other] = [await uploadFile(), await uploadFile(), await uploadFile(), await uploadFile()];
      expect((await getFileInfo(first)).common.status).toMatchObject({ title: "Rough" });
      await setStatus(other, to.id);
      await testApp.call(owner, files.deleteFile, { body: { file_id: deleted } });
      expect((await testApp.call(fixtures.admin, statuses.getFileStatusUsage, { params: { status_id: from.id } })).response.data.file_count).toBe(2);
      expect((await deleteStatus(from.id)).problem.detail).toContain("2 files have");
      const before = await loadRevision(first);
      const response = (await deleteStatus(from.id, to.id)).response;
      expect([response.data.map(({ title }) => title), response.default_status_id]).toEqual([expect.not.arrayContaining(["Rough"]), to.id]);
      expect((await loadStatusesChangedEvents()).at(-1)).toEqual({
        team_id: fixtures.home.team,
        statuses: response.data,
        default_status_id: to.id,
        new_version_resets_status: true,
        replaced: { status_id: from.id, replacement_id: to.id },
      });
      for (const file of [first, second]) {
        expect((await getFileInfo(file)).common.status).toEqual(to);
        expect(await loadStatusEvents(file)).toMatchObject([{ old_status: from, new_status: to, changed_by_account_id: fixtures.admin.id }]);
        expect(await loadStatusHistory(file)).toMatchObject([{ old_status: from, new_status: to, note: "", changed_by_account_id: fixtures.admin.id }]);
      }
      expect(await loadRevision(first)).toBe(before + 1);
      expect(await loadStatusEvents(deleted)).toEqual([]);
      const [restored] = (await testApp.call(owner, view.restoreFiles, { body: { file_ids: [deleted] } })).response.data;
      expect(restored?.status).toEqual(to);
      expect(await loadStatusEvents(other)).toHaveLength(1);
      expect((await setStatus(first, from.id)).status).toBe(400);
      // Deleting a status frees its title.
      expect((await createStatus("rough")).id).toBeGreaterThan(to.id);
      await testApp.call(fixtures.admin, statuses.setDefaultFileStatus, { params: { team_id: fixtures.home.team }, body: { status_id: null } });
    });

    it("deleting one while others set it leaves no file with it", async () => {
      const [from, to] = [await createStatus(), await createStatus()];
      const fileIds = await Promise.all(Array.from({ length: 8 }, () => uploadFile()));
      const replies = await Promise.all([
        ...fileIds.slice(0, 4).map((file) => setStatus(file, from.id)),
        deleteStatus(from.id, to.id),
        ...fileIds.slice(4).map((file) => setStatus(file, from.id)),
      ]);
      for (const { status } of replies) expect([200, 400]).toContain(status);
      const fileRows = await fixtures.testApp.database.read.selectFrom("files").select(["id", "status_id", "status_rank"]).where("id", "in", fileIds).execute();
      for (const row of fileRows)
        expect([
          [to.id, to.position],
          [null, -1],
        ]).toContainEqual([row.status_id, row.status_rank]);
      // Each change emitted one event.
      for (const file of fileIds) expect((await loadStatusEvents(file)).length).toBe((await loadStatusHistory(file)).length);
    });

    it("reordering them changes the sort order of files and emits no file event", async () => {
      const { testApp, member, home } = fixtures;
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
        testApp.call(fixtures.admin, statuses.orderFileStatuses, { params: { team_id: home.team }, body: { ids: orderedIds } });
      const swapped = ids.map((id) => (id === firstStatus.id ? secondStatus.id : id === secondStatus.id ? firstStatus.id : id));
      expect((await reorder(swapped)).response.data.map(({ id, position }) => [id, position])).toEqual(swapped.map((id, index) => [id, index + 1]));
      expect(await listByStatus()).toEqual([low, high]);
      const events = (await loadStatusesChangedEvents()).length;
      await reorder(swapped);
      expect([(await loadStatusesChangedEvents()).length, (await loadStatusEvents(high)).length]).toEqual([events, 1]);
    });

    it("adding one with an Idempotency-Key creates it once, and a taken title returns 409", async () => {
      const { testApp, owner, admin, home, apart } = fixtures;
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

    it("changes are sent to people who can see the team and withheld from others", async () => {
      const { testApp, owner, member, guest, foreignOwner, home, apart } = fixtures;
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

  it("of two simultaneous status changes the second returns 409 with the current status and emits no event", async () => {
    const file = await uploadFile();
    const [firstStatus, secondStatus, thirdStatus] = (await listStatuses()).data;
    const both = await Promise.all([
      setStatus(file, firstStatus!.id, fixtures.member, { if_status_id: null }),
      setStatus(file, secondStatus!.id, fixtures.admin, { if_status_id: null }),
    ]);
    const [winner, loser] = both.toSorted((a, b) => a.status - b.status);
    const { status } = winner!.response.data;
    expect(loser!.problem).toMatchObject({ status: 409, current_status: status });
    expect((await loadStatusEvents(file)).map(({ new_status }) => new_status.id)).toEqual([status?.id]);
    // Setting the current status again is no conflict; neither is a change based on the current status.
    expect((await setStatus(file, status!.id, fixtures.member, { if_status_id: null })).status).toBe(200);
    expect((await setStatus(file, thirdStatus!.id, fixtures.member, { if_status_id: status!.id })).status).toBe(200);
    expect((await setStatus(file, firstStatus!.id, fixtures.member, { if_status_id: status!.id })).problem["current_status"]).toMatchObject({
      id: thirdStatus!.id,
    });
  });
});
