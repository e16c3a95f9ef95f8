/** Statuses that a team changes, and tags put right by hand: what becomes of the files that have them, and who hears of it. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FileStatus } from "../contract/records.ts";
import * as chat from "../contract/operations/chat.ts";
import * as files from "../contract/operations/files.ts";
import * as view from "../contract/operations/files-view.ts";
import * as statuses from "../contract/operations/statuses.ts";
import * as tags from "../contract/operations/tags.ts";
import * as teams from "../contract/operations/teams.ts";
import { MUSIC_KEYS } from "../contract/music-keys.ts";
import { repeatFacts } from "./domain/files/facts.ts";
import { keyName } from "./media/music/key.ts";
import { startCast, type Cast } from "./testing/cast.ts";
import type { Caller } from "./testing/client.ts";
import { ENGINES } from "./testing/engines.ts";
import { beginUpload, currentVersion, ELSEWHERE, processed, upload } from "./testing/files.ts";
import { openSocket, until } from "./testing/live.ts";
import { tokenOf } from "./testing/people.ts";
import { ask, listen } from "./testing/wire.ts";

it("what the analysis calls a key is what somebody may put in its place", () => {
  const found = Array.from({ length: 12 }, (_, tonic) => [keyName(tonic, "major"), keyName(tonic, "minor")]).flat();
  expect(found.toSorted()).toEqual([...MUSIC_KEYS].toSorted());
});

describe.each(ENGINES)("the review on %s", { timeout: 60_000 }, (engine) => {
  let cast: Cast;
  let base: string;
  beforeAll(async () => {
    cast = await startCast(engine);
    base = await listen(cast.world);
  }, 60_000);
  afterAll(() => cast.world.close());

  let drawn = 0;
  const fresh = (name = `review ${++drawn}.wav`) => upload(cast.world, cast.owner, { parent: cast.home.folder, name });
  const all = async (team = cast.home.team) => (await cast.world.call(cast.owner, teams.listFileStatuses, { body: { team_id: team } })).answer;
  const create = async (title = `Status ${++drawn}`): Promise<FileStatus> =>
    (await cast.world.call(cast.admin, statuses.createFileStatus, { params: { team_id: cast.home.team }, body: { title, color: 2 } })).answer.data;
  const remove = (id: number, replacement?: number) =>
    cast.world.call(cast.admin, statuses.deleteFileStatus, {
      params: { status_id: id },
      query: replacement === undefined ? {} : { replacement_id: String(replacement) },
    });
  const set = (file_id: number, status_id: number, by: Caller = cast.member, more: object = {}) =>
    cast.world.call(by, files.setFileStatus, { body: { file_id, status_id, ...more } });
  const info = async (file_id: number) => (await cast.world.call(cast.guest, files.getFileInfo, { body: { file_id } })).answer;
  const revisionOf = async (id: number) =>
    (await cast.world.database.read.selectFrom("files").select("revision").where("id", "=", id).executeTakeFirstOrThrow()).revision;
  const history = async (file_id: number) => (await cast.world.call(cast.guest, files.statusHistory, { params: { file_id } })).answer.data;
  const fired = async (file: number) =>
    (await cast.world.database.read.selectFrom("outbound_events").selectAll().where("type", "=", "file.status_changed").execute())
      .map(({ data }) => JSON.parse(data) as { id: number; old_status: FileStatus; new_status: FileStatus })
      .filter(({ id }) => id === file);
  const told = async () =>
    (await cast.world.database.read.selectFrom("events").select("data").where("type", "=", "statuses.changed").orderBy("seq").execute()).map(({ data }) =>
      JSON.parse(data),
    );

  describe("a team's statuses", () => {
    it("deleted: each file that has it gets the other one, as if somebody had set it; its history keeps the old title", async () => {
      const { world, owner } = cast;
      const [from, to] = [await create("Rough"), await create("Polished")];
      await world.call(cast.admin, statuses.setDefaultFileStatus, { params: { team_id: cast.home.team }, body: { status_id: from.id } });
      const [first, second, deleted, other] = [await fresh(), await fresh(), await fresh(), await fresh()];
      expect((await info(first)).common.status).toMatchObject({ title: "Rough" });
      await set(other, to.id);
      await world.call(owner, files.deleteFile, { body: { file_id: deleted } });
      expect((await world.call(cast.admin, statuses.getFileStatusUsage, { params: { status_id: from.id } })).answer.data.file_count).toBe(2);
      expect((await remove(from.id)).problem.detail).toContain("2 files have");
      const before = await revisionOf(first);
      const answer = (await remove(from.id, to.id)).answer;
      expect([answer.data.map(({ title }) => title), answer.default_status_id]).toEqual([expect.not.arrayContaining(["Rough"]), to.id]);
      expect((await told()).at(-1)).toEqual({
        team_id: cast.home.team,
        statuses: answer.data,
        default_status_id: to.id,
        replaced: { status_id: from.id, replacement_id: to.id },
      });
      for (const file of [first, second]) {
        expect((await info(file)).common.status).toEqual(to);
        expect(await fired(file)).toMatchObject([{ old_status: from, new_status: to, changed_by_account_id: cast.admin.id }]);
        expect(await history(file)).toMatchObject([{ old_status: from, new_status: to, note: "", changed_by_account_id: cast.admin.id }]);
      }
      expect(await revisionOf(first)).toBe(before + 1);
      expect(await fired(deleted)).toEqual([]);
      const [back] = (await world.call(owner, view.restoreFiles, { body: { file_ids: [deleted] } })).answer.data;
      expect(back?.status).toEqual(to);
      expect(await fired(other)).toHaveLength(1);
      expect((await set(first, from.id)).status).toBe(400);
      // What was deleted has freed its title.
      expect((await create("rough")).id).toBeGreaterThan(to.id);
      await world.call(cast.admin, statuses.setDefaultFileStatus, { params: { team_id: cast.home.team }, body: { status_id: null } });
    });

    it("deleted while everybody sets it: no file is left with it", async () => {
      const [from, to] = [await create(), await create()];
      const made = await Promise.all(Array.from({ length: 8 }, () => fresh()));
      const answers = await Promise.all([
        ...made.slice(0, 4).map((file) => set(file, from.id)),
        remove(from.id, to.id),
        ...made.slice(4).map((file) => set(file, from.id)),
      ]);
      for (const { status } of answers) expect([200, 400]).toContain(status);
      const left = await cast.world.database.read.selectFrom("files").select(["id", "status_id", "status_rank"]).where("id", "in", made).execute();
      for (const row of left)
        expect([
          [to.id, to.position],
          [null, -1],
        ]).toContainEqual([row.status_id, row.status_rank]);
      // Each change was fired once.
      for (const file of made) expect((await fired(file)).length).toBe((await history(file)).length);
    });

    it("in another order: files sorted by status follow, nothing is fired", async () => {
      const { world, member, home } = cast;
      const [one, two] = [await create(), await create()];
      const [high, low] = [await fresh(), await fresh()];
      await Promise.all([set(high, one.id), set(low, two.id)]);
      const sorted = async () =>
        (await world.call(member, view.listFiles, { params: { project_id: home.project }, query: { deep: "true", sort: "status", limit: "500" } })).answer.data
          .map(({ id }) => id)
          .filter((id) => id === high || id === low);
      expect(await sorted()).toEqual([high, low]);
      const ids = (await all()).data.map(({ id }) => id);
      const order = (wish: number[]) => world.call(cast.admin, statuses.orderFileStatuses, { params: { team_id: home.team }, body: { ids: wish } });
      const swapped = ids.map((id) => (id === one.id ? two.id : id === two.id ? one.id : id));
      expect((await order(swapped)).answer.data.map(({ id, position }) => [id, position])).toEqual(swapped.map((id, index) => [id, index + 1]));
      expect(await sorted()).toEqual([low, high]);
      const events = (await told()).length;
      await order(swapped);
      expect([(await told()).length, (await fired(high)).length]).toEqual([events, 1]);
    });

    it("added once under one key, also by many at once; of two that take one title the second is told", async () => {
      const { world, owner, admin, home, apart } = cast;
      const add = (title: string, key: string, by: Caller = owner, team_id = home.team) =>
        world.call(by, statuses.createFileStatus, { params: { team_id }, body: { title, color: 1 } }, { headers: { "idempotency-key": key } });
      const twins = await Promise.all(Array.from({ length: 8 }, () => add("Keyed", "one")));
      expect(new Set(twins.map(({ answer }) => answer.data.id)).size).toBe(1);
      expect((await add("Other", "one")).status).toBe(409);
      // Of the other team no status is there yet that could be locked.
      for (const team of [home.team, apart.team]) {
        const racing = await Promise.all([add("Taken", `two-${team}`, owner, team), add("TAKEN", `three-${team}`, admin, team)]);
        expect(racing.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
      }
    });

    it("who sees the team hears of them; everybody else keeps the order and reads nothing", async () => {
      const { world, owner, member, guest, foreignOwner, home, apart } = cast;
      const { organisation_id } = await world.database.read.selectFrom("teams").select("organisation_id").where("id", "=", home.team).executeTakeFirstOrThrow();
      const topic = `organisation:${organisation_id}`;
      const sockets = await Promise.all([owner, member, guest].map((by) => openSocket(world.app.server, by)));
      for (const socket of sockets) await socket.subscribe(topic);
      const stranger = await openSocket(world.app.server, foreignOwner);
      expect(await stranger.subscribe(topic)).toHaveProperty("refused");
      for (const { team } of [apart, home]) {
        const body = { title: `Heard ${engine}`, color: 1 };
        await world.call(owner, statuses.createFileStatus, { params: { team_id: team }, body });
      }
      for (const socket of sockets)
        await until(
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
    const { world, member, owner, home } = cast;
    const { id, title } = await create();
    await world.call(cast.admin, statuses.setDefaultFileStatus, { params: { team_id: home.team }, body: { status_id: id } });
    const by = await tokenOf(world, member);
    const resumable = async (metadata: Record<string, string | number>) => {
      const path = await beginUpload(world, by, 3, metadata);
      const headers = { "tus-resumable": "1.0.0", "content-type": "application/offset+octet-stream", "upload-offset": "0" };
      await ask(base, by, { method: "PATCH", path, headers, body: Buffer.from("abc") });
      return (await world.call(by, files.getUpload, { params: { upload_id: path.split("/").at(-1)! } })).answer.data.file_id!;
    };
    const external = (await world.call(member, files.uploadExternal, { body: { url: ELSEWHERE, parent_id: home.folder } })).answer.file_id;
    const inFolder = await resumable({ name: "deep.wav", parent_id: home.folder, path: `New ${drawn}/Below` });
    const made = [await fresh(), await resumable({ name: "chat.wav", project_id: home.project }), external, inFolder];
    for (const file of made) {
      expect((await info(file)).common.status?.title).toBe(title);
      expect([await fired(file), await history(file)]).toEqual([[], []]);
    }
    const uploaded = await world.database.read.selectFrom("outbound_events").select("data").where("type", "=", "file.uploaded").execute();
    expect(uploaded.map(({ data }) => JSON.parse(data)).find((data) => data.id === external).status.title).toBe(title);
    const above = await world.database.read.selectFrom("files").select(["id", "status_id", "parent_id"]).where("id", "=", inFolder).executeTakeFirstOrThrow();
    const folder = await world.database.read.selectFrom("files").select("status_id").where("id", "=", above.parent_id!).executeTakeFirstOrThrow();
    expect(folder.status_id).toBeNull();
    const approved = (await all()).data.find((one) => one.title === "Approved")!;
    await set(made[0]!, approved.id);
    await upload(world, owner, { versionOf: made[0]!, bytes: "another" });
    expect((await info(made[0]!)).common.status?.title).toBe("Approved");
    // Another team of the organisation has its own.
    expect(
      (await world.call(owner, files.getFileInfo, { body: { file_id: await upload(world, owner, { parent: cast.apart.folder }) } })).answer.common.status,
    ).toBeNull();
    expect((await remove(id, approved.id)).answer.default_status_id).toBe(approved.id);
    await world.call(cast.admin, statuses.setDefaultFileStatus, { params: { team_id: home.team }, body: { status_id: null } });
  });

  it("of two who set a status at once, the second is told what the first has set, and nothing of theirs is fired", async () => {
    const file = await fresh();
    const [one, two, three] = (await all()).data;
    const both = await Promise.all([set(file, one!.id, cast.member, { if_status_id: null }), set(file, two!.id, cast.admin, { if_status_id: null })]);
    const [won, lost] = both.toSorted((a, b) => a.status - b.status);
    const { status } = won!.answer.data;
    expect(lost!.problem).toMatchObject({ status: 409, current_status: status });
    expect((await fired(file)).map(({ new_status }) => new_status.id)).toEqual([status?.id]);
    // What is there already is no conflict; neither is what somebody has really seen.
    expect((await set(file, status!.id, cast.member, { if_status_id: null })).status).toBe(200);
    expect((await set(file, three!.id, cast.member, { if_status_id: status!.id })).status).toBe(200);
    expect((await set(file, one!.id, cast.member, { if_status_id: status!.id })).problem["current_status"]).toMatchObject({ id: three!.id });
  });

  it("tags put right by hand stand wherever they are shown, filtered and sorted by; and stay", async () => {
    const { world, member, guest, home } = cast;
    const [file, other] = [await fresh(), await fresh()];
    for (const id of [file, other]) await processed(world, id);
    await world.call(member, chat.sendMessage, { body: { project_id: home.project, body: "at half time", attachment_ids: [file] } });
    const put = (body: { bpm?: number | null; key?: "G minor" | null }) => world.call(member, tags.correctTags, { params: { file_id: file }, body });
    await put({ bpm: 60.5, key: "G minor" });
    const listed = async (query: Record<string, string>) =>
      (await world.call(guest, view.listFiles, { params: { project_id: home.project }, query: { deep: "true", limit: "500", ...query } })).answer.data.map(
        ({ id }) => id,
      );
    const attached = async () =>
      (await world.call(guest, chat.chatHistory, { body: { project_id: home.project } })).answer.data
        .flatMap(({ attachments }) => attachments)
        .findLast(({ id }) => id === file)?.audio;
    const shown = async () => {
      const { file_info: found, ai_tags } = await info(file);
      const { bpm, key } = (await attached()) ?? {};
      return { info: [found["bpm"], found["key"]], corrected: found["corrected"], chat: [bpm, key], found: [ai_tags.bpm, ai_tags.key] };
    };
    const right = { info: [60.5, "G minor"], corrected: { bpm: true, key: true }, chat: [60.5, "G minor"], found: [120, ["A minor"]] };
    expect(await shown()).toEqual(right);
    expect(await listed({ key: "G minor" })).toEqual([file]);
    expect(await listed({ bpm_max: "61" })).toEqual([file]);
    const order = (await listed({ sort: "bpm" })).filter((id) => id === file || id === other);
    expect(order).toEqual([file, other]);
    const facets = (await world.call(guest, view.getFileFacets, { params: { project_id: home.project } })).answer.data;
    expect([facets.keys.find(({ key }) => key === "G minor")?.count, facets.bpm?.min]).toEqual([1, 60.5]);
    const live = await world.database.read
      .selectFrom("events")
      .select(["type", "data"])
      .where("topic", "=", `project:${home.project}`)
      .orderBy("seq", "desc")
      .limit(2)
      .execute();
    expect(live.map(({ type, data }) => [type, JSON.parse(data).id])).toEqual([
      ["attachment.updated", file],
      ["file.updated", file],
    ]);
    expect(JSON.parse(live[1]!.data)).toMatchObject({ bpm: 60.5, key: "G minor" });

    // Analysed again with another result, and a new version.
    const version = await currentVersion(world, file);
    await world.call(member, tags.regenerateTags, { params: { file_id: file } });
    const again = JSON.stringify({ ...JSON.parse(version.tags ?? ""), bpm: 121 });
    await world.database.write(async (tx) => {
      await tx.updateTable("file_versions").set({ tags: again }).where("id", "=", version.id).execute();
      await repeatFacts(tx, version.id);
    });
    expect(await shown()).toEqual({ ...right, found: [121, ["A minor"]] });
    await upload(world, member, { versionOf: file, bytes: "take two" });
    await processed(world, file);
    expect(await shown()).toEqual(right);
    const revision = await revisionOf(file);
    await put({ bpm: 60.5 });
    expect(await revisionOf(file)).toBe(revision);
    await put({ bpm: null });
    expect((await shown()).info).toEqual([120, "G minor"]);
    await put({ key: null });
    expect([await shown(), await listed({ key: "G minor" })]).toEqual([
      // The message carries the first version.
      { info: [120, "A minor"], corrected: { bpm: false, key: false }, chat: [121, "A minor"], found: [120, ["A minor"]] },
      [],
    ]);
  });
});
