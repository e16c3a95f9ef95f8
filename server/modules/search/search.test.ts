/** Tests that the search finds every kind of record by what it should be found by, and follows each change. */
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { updateAccount, updateMember } from "../../../contract/operations/accounts.ts";
import { sendMessage } from "../../../contract/operations/chat.ts";
import { deleteComment, restoreComment, updateComment, writeComment } from "../../../contract/operations/comments.ts";
import * as view from "../../../contract/operations/files-view.ts";
import * as files from "../../../contract/operations/files.ts";
import { createPlaylist, deletePlaylist, restorePlaylist, updatePlaylist } from "../../../contract/operations/playlists.ts";
import { createProject, updateProject } from "../../../contract/operations/projects.ts";
import { search as searchOperation } from "../../../contract/operations/search.ts";
import { createFileStatus, deleteFileStatus, updateFileStatus } from "../../../contract/operations/statuses.ts";
import { correctTags } from "../../../contract/operations/tags.ts";
import { createTasks, deleteTask, updateTask } from "../../../contract/operations/tasks.ts";
import type { SearchGroup } from "../../../contract/search-records.ts";
import { indexRecords } from "../../db/search-documents.ts";
import type { Caller } from "../../testing/client.ts";
import { ENGINES } from "../../testing/engines.ts";
import { markProcessed, upload } from "../../testing/files.ts";
import { indexMessage } from "../conversation/message-repository.ts";
import { syncFileFacts } from "../files/entry-rows.ts";
import { createFixtures, createMessage, type Fixtures } from "../../testing/fixtures.ts";
import { expectFreshIndexes } from "../../testing/search-entries.ts";

const DAY = 86_400_000;

describe.each(ENGINES)("search of everything on %s", { timeout: 60_000 }, (engine) => {
  let fixtures: Fixtures;
  beforeAll(async () => void (fixtures = await createFixtures(engine)), 60_000);
  afterAll(() => fixtures.testApp.close());

  const groups = async (query: { q: string } & Record<string, string | number>, by: Caller = fixtures.member): Promise<SearchGroup[]> =>
    (await fixtures.testApp.call(by, searchOperation, { query })).response.data.groups;
  /** Returns what was found as "kind: title or text". */
  const find = async (q: string, query: Record<string, string | number> = {}, by?: Caller) =>
    (await groups({ q, ...query }, by)).flatMap(({ results }) => results.map(({ kind, title, text }) => `${kind}: ${title || text}`));

  describe("files", () => {
    let file: number;
    beforeAll(async () => {
      const { testApp, member, home } = fixtures;
      file = await upload(testApp, member, { parent: home.folder, name: "Überflug_Kick-01.wav" });
      await markProcessed(testApp, file);
    });
    const all = (query: string) => find(query, { kind: "file" });

    it("are found by parts of their name, tempo and key, in any order", async () => {
      for (const q of ["uberflug", "kick", "KICK überfl", "01 kick wav", "120 bpm kick", "a minor kick", "kick am", "kick a min"])
        expect(await all(q), q).toEqual(["file: Überflug_Kick-01.wav"]);
      for (const q of ["flug", "kick 121 bpm", "kick b minor"]) expect(await all(q), q).toEqual([]);
    });

    it("follow a correction of tempo and key, also to a key with a sharp", async () => {
      await fixtures.testApp.call(fixtures.member, correctTags, { params: { file_id: file }, body: { bpm: 174, key: "F# minor" } });
      for (const q of ["kick 174 bpm", "kick F#", "kick f#m", "kick F# minor", "kick f♯ min"]) expect(await all(q), q).toEqual(["file: Überflug_Kick-01.wav"]);
      expect(await all("kick 120 bpm")).toEqual([]);
      // "F" alone is another key; as the last word it may be the beginning of "F#".
      expect(await all("F minor kick")).toEqual([]);
    });

    it("follow tags of another analysis", async () => {
      const { testApp } = fixtures;
      const tags = JSON.stringify({ bpm: 90, keys: ["C major"], genres: [["Deep House", 0.9]], moods: [], instruments: [] });
      await testApp.database.write(async (tx) => {
        const version = await tx.selectFrom("files").select("version_id").where("id", "=", file).executeTakeFirstOrThrow();
        await tx.updateTable("file_versions").set({ tags }).where("id", "=", version.version_id).execute();
        await syncFileFacts(tx, engine, version.version_id!);
      });
      expect(await all("deep house kick")).toEqual(["file: Überflug_Kick-01.wav"]);
    });

    it("are found by their status, also after it was renamed, and replaced when it was deleted", async () => {
      const { testApp, owner, member, home } = fixtures;
      const create = async (title: string) =>
        (await testApp.call(owner, createFileStatus, { params: { team_id: home.team }, body: { title, color: 3 } })).response.data.id;
      const mastering = await create("Mastering");
      const archived = await create("Archived");
      await testApp.call(member, files.setFileStatus, { body: { file_id: file, status_id: mastering } });
      expect(await all("mastering")).toEqual(["file: Überflug_Kick-01.wav"]);
      expect(await all("kick master")).toEqual(["file: Überflug_Kick-01.wav"]);
      await testApp.call(owner, updateFileStatus, { params: { status_id: mastering }, body: { title: "At the studio" } });
      expect([await all("mastering"), await all("studio kick")]).toEqual([[], ["file: Überflug_Kick-01.wav"]]);
      await testApp.call(owner, deleteFileStatus, { params: { status_id: mastering }, query: { replacement_id: String(archived) } });
      expect([await all("studio"), await all("archived")]).toEqual([[], ["file: Überflug_Kick-01.wav"]]);
      const [result] = (await groups({ q: "archived", kind: "file" }))[0]!.results;
      expect(result).toMatchObject({ status: { id: archived, title: "Archived" }, bpm: 174, key: "F# minor", project: { id: home.project } });
    });

    it("follow new names, and are not found while they or their folder are deleted", async () => {
      const { testApp, owner, home } = fixtures;
      await testApp.call(owner, files.renameFile, { body: { file_id: file, name: "Landung.wav" } });
      expect([await all("uberflug"), await all("landung")]).toEqual([[], ["file: Landung.wav"]]);
      await testApp.call(owner, view.deleteFiles, { body: { file_ids: [home.folder] } });
      expect(await all("landung")).toEqual([]);
      await testApp.call(owner, view.restoreFiles, { body: { file_ids: [home.folder] } });
      expect(await all("landung")).toEqual(["file: Landung.wav"]);
    });

    it("include folders, but not a project's root folder", async () => {
      const { testApp, member, home } = fixtures;
      await testApp.call(member, files.createFolder, { body: { parent_id: home.root, name: "Stems of home" } });
      expect(await find("home")).toEqual(["project: home", "file: Stems of home", "message: Welcome to home"]);
    });
  });

  it("projects are found by name and description, and follow changes", async () => {
    const { testApp, owner, home } = fixtures;
    const body = { team_id: home.team, name: "Nightdrive", description: "Album for Łódź" };
    const { id } = (await testApp.call(owner, createProject, { body })).response.data;
    expect(await find("nightd", {}, owner)).toEqual(["project: Nightdrive"]);
    expect(await find("lodz", {}, owner)).toEqual(["project: Nightdrive"]);
    await testApp.call(owner, updateProject, { params: { project_id: id }, body: { name: "Daydrive" } });
    expect([await find("nightdrive", {}, owner), await find("daydrive", {}, owner)]).toEqual([[], ["project: Daydrive"]]);
    expect(await find("daydrive")).toEqual([]);
  });

  it("people are found by name and email address until they are disabled; in a project, its members", async () => {
    const { testApp, owner, guest, neighbor, home } = fixtures;
    const people = (q: string, query = {}) => find(q, { kind: "person", ...query });
    expect(await people("neighbor")).toEqual(["person: neighbor"]);
    expect(await people("neighbor@talkback.test")).toEqual(["person: neighbor"]);
    expect(await people("neighbor", { project_id: home.project })).toEqual([]);
    await testApp.call(neighbor, updateAccount, { body: { username: "Zoë" } });
    expect([await people("neighbor@other"), await people("zoe")]).toEqual([[], ["person: Zoë"]]);
    expect(await people("guest", { project_id: home.project })).toEqual(["person: guest"]);
    await testApp.call(owner, updateMember, { params: { account_id: guest.id }, body: { disabled: true } });
    expect(await people("guest", { project_id: home.project })).toEqual([]);
    await testApp.call(owner, updateMember, { params: { account_id: guest.id }, body: { disabled: false } });
  });

  it("playlists follow new names, and are not found while they are deleted", async () => {
    const { testApp, member, home } = fixtures;
    const { id } = (await testApp.call(member, createPlaylist, { body: { project_id: home.project, name: "Running order" } })).response.data;
    const params = { playlist_id: id };
    expect(await find("running")).toEqual(["playlist: Running order"]);
    await testApp.call(member, updatePlaylist, { params, body: { name: "Side A" } });
    expect([await find("running"), await find("side a")]).toEqual([[], ["playlist: Side A"]]);
    await testApp.call(member, deletePlaylist, { params });
    expect(await find("side a")).toEqual([]);
    await testApp.call(member, restorePlaylist, { params });
    expect(await find("side a")).toEqual(["playlist: Side A"]);
  });

  it("tasks follow new titles and assignees, and go with their file and for good", async () => {
    const { testApp, member, guest, owner, home } = fixtures;
    const [task] = (await testApp.call(member, createTasks, { body: { file_id: home.file, tasks: [{ title: "Tune the timpani" }] } })).response.data;
    const params = { task_id: task!.id };
    expect(await find("timpani")).toEqual(["task: Tune the timpani"]);
    expect(await find("timpani", { account_id: guest.id })).toEqual([]);
    await testApp.call(member, updateTask, { params, body: { title: "Tune the marimba", assignee_account_id: guest.id } });
    expect([await find("timpani"), await find("marimba", { account_id: guest.id })]).toEqual([[], ["task: Tune the marimba"]]);
    await testApp.call(owner, view.deleteFiles, { body: { file_ids: [home.file] } });
    expect(await find("marimba")).toEqual([]);
    await testApp.call(owner, view.restoreFiles, { body: { file_ids: [home.file] } });
    expect(await find("marimba")).toEqual(["task: Tune the marimba"]);
    await testApp.call(member, deleteTask, { params });
    expect(await find("marimba")).toEqual([]);
  });

  it("comments follow edits, deletions and restores, with the position of the thread", async () => {
    const { testApp, member, owner, home } = fixtures;
    const write = async (body: object) =>
      (await testApp.call(member, writeComment, { params: { file_id: home.file }, body: { body: "", ...body } })).response.data.id;
    const root = await write({ body: "The celesta is late", position_ms: 500 });
    const reply = await write({ body: "Which celesta?", parent_comment_id: root });
    const [group] = await groups({ q: "celesta" });
    expect(group?.results.map(({ id, position_ms, file }) => [id, position_ms, file?.id])).toEqual([
      [reply, 500, home.file],
      [root, 500, home.file],
    ]);
    const params = { comment_id: root };
    await testApp.call(member, updateComment, { params, body: { body: "The harp is late" } });
    expect([await find("celesta"), await find("harp")]).toEqual([["comment: Which celesta?"], ["comment: The harp is late"]]);
    await testApp.call(member, deleteComment, { params });
    expect(await find("harp")).toEqual([]);
    await testApp.call(member, restoreComment, { params });
    expect(await find("harp")).toEqual(["comment: The harp is late"]);
    await testApp.call(owner, view.deleteFiles, { body: { file_ids: [home.file] } });
    expect(await find("harp")).toEqual([]);
    await testApp.call(owner, view.restoreFiles, { body: { file_ids: [home.file] } });
  });

  it("messages show the part around the match, with the names of mentioned people", async () => {
    const { testApp, owner, member, home } = fixtures;
    const body = `${"before ".repeat(60)}the glockenspiel, <@${member.id}>! ${"after ".repeat(60)}`;
    await testApp.call(owner, sendMessage, { body: { project_id: home.project, body } });
    const [text = ""] = await find("glockenspiel");
    expect(text).toMatch(/^message: …(before ){1,9}the glockenspiel, @member! (after )+.*…$/);
    expect(text.length).toBeLessThan(260);
    expect(await find(`member`, { kind: "message" })).toEqual([]);
  });

  it("filters by person and by time, with bounds in days on which nothing was written", async () => {
    const { testApp, owner, member, home } = fixtures;
    const id = await createMessage(testApp, owner, home.project, "an ocarina long ago");
    const now = testApp.clock.now();
    await testApp.database.write(async (tx) => {
      const row = await tx
        .updateTable("messages")
        .set({ created_at: now - 400 * DAY })
        .where("id", "=", id)
        .returningAll()
        .executeTakeFirstOrThrow();
      await indexMessage(tx, engine, row, false);
    });
    await createMessage(testApp, member, home.project, "the ocarina today");
    await upload(testApp, member, { parent: home.folder, name: "ocarina.wav" });
    const at = (days: number) => new Date(now + days * DAY).toISOString();
    expect(await find("ocarina", { since: at(-1) })).toEqual(["file: ocarina.wav", "message: the ocarina today"]);
    expect(await find("ocarina", { until: at(-1) })).toEqual(["message: an ocarina long ago"]);
    expect(await find("ocarina", { since: at(-401), until: at(-399) })).toEqual(["message: an ocarina long ago"]);
    expect(await find("ocarina", { since: at(-300), until: at(-200) })).toEqual([]);
    expect(await find("ocarina", { since: at(1), until: at(2) })).toEqual([]);
    expect(await find("ocarina", { account_id: owner.id })).toEqual(["message: an ocarina long ago"]);
    expect(await find("ocarina", { account_id: member.id, kind: "message" })).toEqual(["message: the ocarina today"]);
  });

  it("finds the same in more projects than the index filters by", async () => {
    const { testApp, owner, home, foreignOwner } = fixtures;
    const before = [await find("welcome", {}, owner), await find("welcome", {}, foreignOwner)];
    await testApp.database.write(async (tx) => {
      const row = { team_id: home.team, group_id: null, description: "", created_at: 1, created_by: owner.id };
      await tx
        .insertInto("projects")
        .values(Array.from({ length: 120 }, (_, index) => ({ ...row, name: `many ${index}` })))
        .execute();
    });
    expect(before[0]).toHaveLength(3);
    expect([await find("welcome", {}, owner), await find("welcome", {}, foreignOwner)]).toEqual(before);
  });

  it("a transaction that fails leaves the index as it was", async () => {
    const { testApp, member, home } = fixtures;
    await expect(
      testApp.database.write(async (tx) => {
        await tx.updateTable("files").set({ name: "Theremin.wav" }).where("id", "=", home.file).execute();
        await indexRecords(tx, engine, "file", [home.file]);
        await sql`select * from missing`.execute(tx);
      }),
    ).rejects.toThrow();
    expect(await find("theremin", {}, member)).toEqual([]);
  });

  it("indexes that a migration fills would be the same", () => expectFreshIndexes(fixtures.testApp.database));
});
