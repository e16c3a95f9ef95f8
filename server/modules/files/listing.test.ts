import * as fc from "fast-check";
import { CompiledQuery, sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FILE_SORTS } from "../../../contract/file-order.ts";
import type { FileEntry } from "../../../contract/file-records.ts";
import * as view from "../../../contract/operations/files-view.ts";
import * as files from "../../../contract/operations/files.ts";
import * as teams from "../../../contract/operations/teams.ts";
import type { Tx } from "../../db/schema.ts";
import { topicOf } from "../../events/log.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createFolder, currentVersion, markProcessed, upload } from "../../testing/files.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { nameColumns, syncFileFacts } from "./entry-rows.ts";
import { selectPage, SECTIONS } from "./page-query.ts";

const NO_FILTER = {
  q: null,
  kinds: null,
  statusIds: null,
  bpmMin: null,
  bpmMax: null,
  key: null,
  tag: null,
  uploaderIds: null,
  from: null,
  to: null,
  metadata: null,
  withoutField: null,
};

describe.each(ENGINES)("listing files on %s", { timeout: 60_000 }, (engine) => {
  let fixtures: Fixtures;
  beforeAll(async () => void (fixtures = await createFixtures(engine)), 60_000);
  afterAll(() => fixtures.testApp.close());

  let nameCounter = 0;
  const folder = (name = `Folder ${++nameCounter}`, parent = fixtures.home.root) => createFolder(fixtures.testApp, fixtures.member, parent, name);
  const file = (name: string, parent: number, by = fixtures.member) => upload(fixtures.testApp, by, { parent, name, bytes: "x" });
  const list = async (query: Record<string, string | number>, project_id = fixtures.home.project) =>
    (await fixtures.testApp.call(fixtures.guest, view.listFiles, { params: { project_id }, query })).response;
  const names = (answer: { data: FileEntry[] }) => answer.data.map(({ name }) => name);
  /** Stores facts as if processing had found them. */
  const setFacts = async (
    id: number,
    facts: { kind?: "audio" | "image"; bpm?: number; key?: string; duration?: number; genres?: [string, number][]; moods?: [string, number][] },
  ) => {
    const { id: version } = await currentVersion(fixtures.testApp, id);
    const tags = { bpm: facts.bpm ?? 0, keys: facts.key ? [facts.key] : [], genres: facts.genres ?? [], moods: facts.moods ?? [], instruments: [] };
    await fixtures.testApp.database.write(async (tx) => {
      await tx
        .updateTable("file_versions")
        .set({ kind: facts.kind ?? "audio", duration: facts.duration ?? 1, tags: JSON.stringify(tags) })
        .where("id", "=", version)
        .execute();
      await syncFileFacts(tx, fixtures.testApp.engine, version);
    });
  };

  test("sorts in natural order with folders first in both directions, ignoring case, accents and Unicode form", async () => {
    const folderId = await folder();
    const requestedNames = ["mix.wav", "Mix (2).wav", "mix 2.wav", "mix 10.wav", "MIX 010 b.wav", "e\u0301tude.wav", "Étude 2.wav", "zebra.wav", "😀.wav"];
    for (const name of requestedNames.toReversed()) await file(name, folderId);
    for (const name of ["b 10", "B 9"]) await folder(name, folderId);
    const expected = ["mix.wav", "Mix (2).wav", "mix 2.wav", "mix 10.wav", "MIX 010 b.wav", "zebra.wav", "😀.wav"];
    const all = ["B 9", "b 10", "e\u0301tude.wav", "Étude 2.wav", ...expected];
    expect(names(await list({ folder_id: folderId }))).toEqual(all);
    expect(names(await list({ folder_id: folderId, order: "desc" }))).toEqual(["b 10", "B 9", ...all.slice(2).toReversed()]);
    expect(names(await list({ folder_id: folderId, q: "ETUDE" }))).toEqual(["e\u0301tude.wav", "Étude 2.wav"]);
    expect(names(await list({ folder_id: folderId, q: "(2)" }))).toEqual(["Mix (2).wav"]);
    expect(names(await list({ folder_id: folderId, q: "%" }))).toEqual([]);
    expect(names(await list({ folder_id: folderId, q: "B" }))).toEqual(["B 9", "b 10", "MIX 010 b.wav", "zebra.wav"]);
  });

  test("filters and sorts by every property of the current version", async () => {
    const folderId = await folder();
    const [slow, fast, image, plain] = [
      await file("slow.wav", folderId),
      await file("fast.wav", folderId, fixtures.guest),
      await file("p.png", folderId),
      await file("plain.txt", folderId),
    ];
    const innerFolder = await folder("Inside", folderId);
    fixtures.testApp.clock.advance(60_000);
    const laterIso = new Date(fixtures.testApp.clock.now()).toISOString();
    await upload(fixtures.testApp, fixtures.owner, { versionOf: plain, bytes: "longer" });
    await setFacts(slow, { bpm: 80.5, key: "A minor", duration: 30, genres: [["House", 0.6]], moods: [["Calm", 0.9]] });
    await setFacts(fast, {
      bpm: 174,
      key: "C major",
      duration: 10,
      genres: [
        ["House", 0.7],
        ["Jungle", 0.9],
      ],
    });
    await setFacts(image, { kind: "image" });
    const { data: statuses } = (await fixtures.testApp.call(fixtures.member, teams.listFileStatuses, { body: { team_id: fixtures.home.team } })).response;
    const [first, second] = [statuses[0]!.id, statuses[1]!.id];
    await fixtures.testApp.call(fixtures.member, files.setFileStatus, { body: { file_id: slow, status_id: second } });
    await fixtures.testApp.call(fixtures.member, files.setFileStatus, { body: { file_id: fast, status_id: first } });
    const ids = async (query: Record<string, string | number>) => (await list({ folder_id: folderId, ...query })).data.map(({ id }) => id);
    expect(await ids({ kind: "audio" })).toEqual([fast, slow]);
    expect(await ids({ kind: "image,folder" })).toEqual([innerFolder, image]);
    expect(await ids({ bpm_max: "100" })).toEqual([slow]);
    expect(await ids({ bpm_min: "80.5", bpm_max: "174" })).toEqual([fast, slow]);
    expect(await ids({ key: "A minor" })).toEqual([slow]);
    expect([await ids({ tag: "House" }), await ids({ tag: "Calm" }), await ids({ tag: "Hous" })]).toEqual([[fast, slow], [slow], []]);
    expect([await ids({ status_id: `${first}` }), await ids({ status_id: `${first},none` })]).toEqual([[fast], [fast, image, plain]]);
    expect([await ids({ uploader: `${fixtures.owner.id}` }), await ids({ uploader: `${fixtures.guest.id},${fixtures.owner.id}` })]).toEqual([
      [plain],
      [fast, plain],
    ]);
    expect([await ids({ from: laterIso }), await ids({ to: laterIso })]).toEqual([[plain], [innerFolder, fast, image, slow]]);
    expect(await ids({ sort: "status", order: "desc", kind: "audio" })).toEqual([slow, fast]);
    expect(await ids({ sort: "bpm", order: "desc", limit: 2 })).toEqual([fast, slow]);
    // Rows without the property come last in both directions, even across a page boundary.
    expect(await ids({ sort: "bpm" })).toEqual([slow, fast, image, plain, innerFolder]);
    expect(await ids({ sort: "status" })).toEqual([fast, slow, innerFolder, image, plain]);
    expect((await ids({ sort: "size", order: "asc" })).at(-1)).toBe(innerFolder);
    expect(await ids({ sort: "duration", kind: "audio" })).toEqual([fast, slow]);
    expect((await ids({ sort: "size", order: "desc" }))[0]).toBe(plain);
    expect((await ids({ sort: "changed" })).at(-1)).toBe(plain);
    expect((await ids({ sort: "created" })).at(-1)).toBe(innerFolder);
    expect(await ids({ sort: "kind" })).toEqual([fast, slow, plain, innerFolder, image]);
    const listed = (await list({ folder_id: folderId, tag: "Jungle" })).data[0];
    expect(listed).toMatchObject({ bpm: 174, key: "C major", tags: ["Jungle", "House"], duration: 10, status: { id: first } });
    const { data } = (await fixtures.testApp.call(fixtures.guest, view.getFileFacets, { params: { project_id: fixtures.home.project } })).response;
    expect(data).toMatchObject({
      bpm: { min: 80.5, max: 174 },
      tags: [
        { tag: "House", count: 2 },
        { tag: "Calm", count: 1 },
        { tag: "Jungle", count: 1 },
      ],
    });
    expect(data.keys).toContainEqual({ key: "C major", count: 1 });
    // Tags disappear with a deleted file, including tags found while it is deleted, and return with it.
    const loadTags = async () =>
      (await fixtures.testApp.call(fixtures.guest, view.getFileFacets, { params: { project_id: fixtures.home.project } })).response.data.tags.map(
        ({ tag, count }) => `${tag} ${count}`,
      );
    await fixtures.testApp.call(fixtures.member, view.deleteFiles, { body: { file_ids: [folderId] } });
    await setFacts(slow, { bpm: 80.5, key: "A minor", duration: 30, genres: [["House", 0.6]], moods: [["Warm", 0.9]] });
    expect(await loadTags()).toEqual([]);
    await fixtures.testApp.call(fixtures.member, view.restoreFiles, { body: { file_ids: [folderId] } });
    expect([await loadTags(), await ids({ tag: "Warm" })]).toEqual([["House 2", "Jungle 1", "Warm 1"], [slow]]);
    expect(data.statuses.map(({ status }) => status?.id ?? null)).toEqual([first, second, null]);
    expect(data.uploaders).toContainEqual({ account_id: fixtures.guest.id, count: 1 });
    // A new version has no tags or tempo until it is processed.
    await upload(fixtures.testApp, fixtures.member, { versionOf: fast, bytes: "new" });
    expect([await ids({ tag: "Jungle" }), await ids({ bpm_min: "1" })]).toEqual([[], [slow]]);
  });

  test("counts filter values of a folder with everything below it", async () => {
    const top = await folder();
    const inner = await folder("Inner", top);
    const [here, below] = [await file("here.wav", top), await file("below.wav", inner)];
    await setFacts(here, { bpm: 90, genres: [["Ambient", 0.9]] });
    await setFacts(below, {
      bpm: 120,
      key: "D minor",
      genres: [
        ["Ambient", 0.9],
        ["Dub", 0.5],
      ],
    });
    const facets = async (folder_id: number) =>
      (
        await fixtures.testApp.call(fixtures.guest, view.getFileFacets, {
          params: { project_id: fixtures.home.project },
          query: { folder_id: String(folder_id) },
        })
      ).response.data;
    expect(await facets(top)).toMatchObject({
      kinds: [{ kind: "audio", count: 2 }],
      keys: [{ key: "D minor", count: 1 }],
      tags: [
        { tag: "Ambient", count: 2 },
        { tag: "Dub", count: 1 },
      ],
      bpm: { min: 90, max: 120 },
    });
    expect(await facets(inner)).toMatchObject({ kinds: [{ kind: "audio", count: 1 }], bpm: { min: 120, max: 120 } });
    await fixtures.testApp.call(fixtures.member, view.deleteFiles, { body: { file_ids: [inner] } });
    expect((await facets(top)).tags).toEqual([{ tag: "Ambient", count: 1 }]);
    // The root folder has everything.
    const { project_id, ...all } = { project_id: fixtures.home.project, ...(await facets(fixtures.home.root)) };
    expect(all).toEqual((await fixtures.testApp.call(fixtures.guest, view.getFileFacets, { params: { project_id } })).response.data);
  });

  test.each([250, 1_100])("counts the most frequent of %d different tags", async (different) => {
    const { testApp, neighbor, next } = fixtures;
    const tags = Array.from({ length: different }, (_, index) => `Tag ${String(index).padStart(4, "0")}`);
    const other = await upload(testApp, neighbor, { parent: next.folder, name: `${different}.wav`, bytes: "x" });
    await testApp.database.write(async (tx) => {
      await tx.deleteFrom("file_tags").where("project_id", "=", next.project).execute();
      const rows = tags.map((tag) => ({ project_id: next.project, tag, file_id: next.file }));
      await tx
        .insertInto("file_tags")
        .values([...rows, { project_id: next.project, tag: tags.at(-1)!, file_id: other }])
        .execute();
      await testApp.app.deps.events.append(tx, topicOf.project(next.project), "sessions.changed", {});
    });
    const { data } = (await testApp.call(neighbor, view.getFileFacets, { params: { project_id: next.project } })).response;
    expect(data.tags).toEqual([{ tag: tags.at(-1), count: 2 }, ...tags.slice(0, 199).map((tag) => ({ tag, count: 1 }))]);
  });

  test("lists all descendants with their paths", async () => {
    const top = await folder();
    const stems = await folder("Stems", top);
    const drums = await folder("Drums", stems);
    await file("kick.wav", drums);
    await file("mix.wav", top);
    await markProcessed(fixtures.testApp, await file("bass.wav", stems));
    const paths = (answer: { data: FileEntry[] }) => answer.data.map(({ path, name }) => [path, name]);
    expect(paths(await list({ folder_id: top, deep: "true" }))).toEqual([
      ["Stems", "Drums"],
      ["", "Stems"],
      ["Stems", "bass.wav"],
      ["Stems/Drums", "kick.wav"],
      ["", "mix.wav"],
    ]);
    expect(paths(await list({ folder_id: stems, deep: "true", q: "k" }))).toEqual([["Drums", "kick.wav"]]);
    const all = await list({ deep: "true", limit: 500 });
    expect(all.data.find(({ name }) => name === "kick.wav")?.path).toBe(`Folder ${nameCounter}/Stems/Drums`);
    expect(all.data.some(({ id }) => id === fixtures.home.root)).toBe(false);
    await fixtures.testApp.call(fixtures.member, view.deleteFiles, { body: { file_ids: [stems] } });
    expect(paths(await list({ folder_id: top, deep: "true" }))).toEqual([["", "mix.wav"]]);
  });

  test("while entries are added, deleted and renamed, pages contain each remaining entry once and in order", async () => {
    const { testApp, home, member } = fixtures;
    const buildRow = (parent: number, name: string, is_folder: 0 | 1) => ({
      project_id: home.project,
      parent_id: parent,
      is_folder,
      kind: is_folder ? ("folder" as const) : ("audio" as const),
      created_by: member.id,
      uploader_id: member.id,
      created_at: 1,
      changed_at: name.length,
      size: name.length % 3,
      bpm: (name.length % 3) * 60,
      duration: name.length % 2,
      ...nameColumns(name, is_folder === 1),
    });
    const nameArbitrary = fc.stringMatching(/^[a-c0-2 ]{0,3}[a-c0-2]$/);
    const change = fc.record({ at: fc.nat(), kind: fc.constantFrom("come", "go", "rename", "found"), name: nameArbitrary });
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.tuple(nameArbitrary, fc.constantFrom(0 as const, 1 as const)), { minLength: 5, maxLength: 40, selector: ([name]) => name }),
        fc.array(change, { maxLength: 12 }),
        fc.constantFrom(...FILE_SORTS),
        fc.constantFrom("asc", "desc"),
        fc.integer({ min: 1, max: 7 }),
        async (rows, changes, sort, order, limit) => {
          const appendEvent = (tx: Tx) => testApp.app.deps.events.append(tx, topicOf.project(home.project), "metadata.imported", { project_id: home.project });
          const folderId = await testApp.database.write(async (tx) => {
            const { id } = await tx
              .insertInto("files")
              .values(buildRow(home.root, `paged ${++nameCounter}`, 1))
              .returning("id")
              .executeTakeFirstOrThrow();
            await tx
              .insertInto("files")
              .values(rows.map(([name, isFolder]) => buildRow(id, name, isFolder)))
              .execute();
            return id;
          });
          const all = async () => (await list({ folder_id: folderId, sort, order, limit: 500 })).data.map(({ id }) => id);
          // A rename or new processing results move a row only in sort orders that compare those columns.
          const compared = { rename: ["name", "kind", "status"], found: ["size", "bpm", "duration"], come: [], go: [] } as const;
          const movedIds = new Set<number>();
          const before = await all();
          const seenIds: number[] = [];
          const pendingChanges = [...changes];
          let cursor: string | null = null;
          do {
            const page: { data: FileEntry[]; next_cursor: string | null } = await list({
              folder_id: folderId,
              sort,
              order,
              limit,
              ...(cursor ? { cursor } : {}),
            });
            seenIds.push(...page.data.map(({ id }) => id));
            cursor = page.next_cursor;
            const next = pendingChanges.pop();
            if (next)
              await testApp.database.write(async (tx) => {
                await appendEvent(tx);
                const ids = (
                  await tx.selectFrom("files").select("id").where("parent_id", "=", folderId).where("deleted_at", "is", null).orderBy("id").execute()
                ).map(({ id }) => id);
                const id = ids[next.at % Math.max(1, ids.length)] ?? 0;
                const name = `${next.name}-${++nameCounter}`;
                if ((compared[next.kind] as readonly string[]).includes(sort)) movedIds.add(id);
                if (next.kind === "come")
                  await tx
                    .insertInto("files")
                    .values(buildRow(folderId, name, 0))
                    .execute();
                else if (next.kind === "go") await tx.updateTable("files").set({ deleted_at: 1 }).where("id", "=", id).execute();
                else if (next.kind === "found")
                  await tx.updateTable("files").set({ size: nameCounter, bpm: nameCounter, duration: nameCounter }).where("id", "=", id).execute();
                else await tx.updateTable("files").set(nameColumns(name, false)).where("id", "=", id).execute();
              });
          } while (cursor);
          const after = await all();
          const stableIds = before.filter((id) => after.includes(id) && !movedIds.has(id));
          expect(seenIds.filter((id) => stableIds.includes(id))).toEqual(stableIds);
        },
      ),
      { numRuns: engine === "sqlite" ? 40 : 12 },
    );
  });

  describe("reads a page of a large folder or project from an index without sorting", () => {
    beforeAll(async () => {
      const { project, folder: folderId } = fixtures.home;
      const numbers = sql.raw("with recursive n (i) as (select 1 union all select i + 1 from n where i < 10000)");
      const name = sql.raw("'bulk ' || i, 'bulk ' || i, 'bulk ' || i, 'bulk ' || i");
      await fixtures.testApp.database.write((tx) =>
        sql`insert into files
          (project_id, parent_id, is_folder, name, name_key, order_key, folded_name, created_by, created_at, changed_at, size, kind)
          ${numbers} select ${project}, ${folderId}, 0, ${name}, ${fixtures.owner.id}, i, i, i, 'audio' from n`.execute(tx),
      );
      // PostgreSQL gathers statistics by itself in production; SQLite has none in production either.
      if (engine === "postgres") await fixtures.testApp.database.write((tx) => sql`analyze files`.execute(tx));
    }, 60_000);
    const cases = FILE_SORTS.flatMap((sort) =>
      [false, true].flatMap((descending) => (["in", "of"] as const).map((scope) => [sort, descending, scope] as const)),
    );
    test.each(cases)("%s, descending %s, files_%s_…", async (sort, descending, scope) => {
      const { read } = fixtures.testApp.database;
      const values = sort === "name" ? ["bulk 5", 5] : sort === "status" || sort === "kind" ? [sort === "kind" ? "audio" : -1, "bulk 5", 5] : [5, 5];
      const pageScope = scope === "in" ? { folderId: fixtures.home.folder } : { projectId: fixtures.home.project };
      for (const section of SECTIONS[sort])
        for (const after of [null, values]) {
          const query = selectPage(read, pageScope, { sort, descending, filter: NO_FILTER }, { section, after, limit: 101 });
          const { sql: text, parameters } = query.compile();
          const explain = engine === "sqlite" ? "explain query plan" : "explain";
          const plan = JSON.stringify((await read.executeQuery(CompiledQuery.raw(`${explain} ${text}`, [...parameters]))).rows);
          expect(plan).toContain(`files_${scope}_${sort}`);
          // The plan has no sort step, because the index provides the order.
          expect(plan).not.toMatch(/TEMP B-TREE|Sort/);
        }
    });
  });
});
