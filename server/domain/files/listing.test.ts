import { CompiledQuery, sql } from "kysely";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FILE_SORTS } from "../../../contract/file-order.ts";
import type { FileEntry } from "../../../contract/file-records.ts";
import * as files from "../../../contract/operations/files.ts";
import * as view from "../../../contract/operations/files-view.ts";
import * as teams from "../../../contract/operations/teams.ts";
import { startCast, type Cast } from "../../testing/cast.ts";
import { ENGINES } from "../../testing/engines.ts";
import { currentVersion, processed, upload } from "../../testing/files.ts";
import { nameColumns } from "./entry-rows.ts";
import { repeatFacts } from "./facts.ts";
import { pageOf, SECTIONS } from "./page-query.ts";

const EVERYTHING = { q: null, kinds: null, statusIds: null, bpmMin: null, bpmMax: null, key: null, tag: null, uploaderIds: null, from: null, to: null };

describe.each(ENGINES)("listing files, on %s", { timeout: 60_000 }, (engine) => {
  let cast: Cast;
  beforeAll(async () => void (cast = await startCast(engine)), 60_000);
  afterAll(() => cast.world.close());

  let drawn = 0;
  const folder = async (name = `Folder ${++drawn}`, parent_id = cast.home.root) =>
    (await cast.world.call(cast.member, files.makeFolder, { body: { name, parent_id } })).answer.data.id;
  const file = (name: string, parent: number, by = cast.member) => upload(cast.world, by, { parent, name, bytes: "x" });
  const list = async (query: Record<string, string | number>, project_id = cast.home.project) =>
    (await cast.world.call(cast.guest, view.listFiles, { params: { project_id }, query })).answer;
  const names = (answer: { data: FileEntry[] }) => answer.data.map(({ name }) => name);
  /** Leaves the file as if processing had found this. */
  const found = async (
    id: number,
    facts: { kind?: "audio" | "image"; bpm?: number; key?: string; duration?: number; genres?: [string, number][]; moods?: [string, number][] },
  ) => {
    const { id: version } = await currentVersion(cast.world, id);
    const tags = { bpm: facts.bpm ?? 0, keys: facts.key ? [facts.key] : [], genres: facts.genres ?? [], moods: facts.moods ?? [], instruments: [] };
    await cast.world.database.write(async (tx) => {
      await tx
        .updateTable("file_versions")
        .set({ kind: facts.kind ?? "audio", duration: facts.duration ?? 1, tags: JSON.stringify(tags) })
        .where("id", "=", version)
        .execute();
      await repeatFacts(tx, version);
    });
  };

  test("in natural order, folders first whichever way; case, accents and Unicode form do not matter", async () => {
    const at = await folder();
    const wished = ["mix.wav", "Mix (2).wav", "mix 2.wav", "mix 10.wav", "MIX 010 b.wav", "e\u0301tude.wav", "Étude 2.wav", "zebra.wav", "😀.wav"];
    for (const name of wished.toReversed()) await file(name, at);
    for (const name of ["b 10", "B 9"]) await folder(name, at);
    const expected = ["mix.wav", "Mix (2).wav", "mix 2.wav", "mix 10.wav", "MIX 010 b.wav", "zebra.wav", "😀.wav"];
    const all = ["B 9", "b 10", "e\u0301tude.wav", "Étude 2.wav", ...expected];
    expect(names(await list({ folder_id: at }))).toEqual(all);
    expect(names(await list({ folder_id: at, order: "desc" }))).toEqual(["b 10", "B 9", ...all.slice(2).toReversed()]);
    expect(names(await list({ folder_id: at, q: "ETUDE" }))).toEqual(["e\u0301tude.wav", "Étude 2.wav"]);
    expect(names(await list({ folder_id: at, q: "(2)" }))).toEqual(["Mix (2).wav"]);
    expect(names(await list({ folder_id: at, q: "%" }))).toEqual([]);
    expect(names(await list({ folder_id: at, q: "B" }))).toEqual(["B 9", "b 10", "MIX 010 b.wav", "zebra.wav"]);
  });

  test("by every fact, in every order, and only by what is the file's current version", async () => {
    const at = await folder();
    const [slow, fast, picture, plain] = [
      await file("slow.wav", at),
      await file("fast.wav", at, cast.guest),
      await file("p.png", at),
      await file("plain.txt", at),
    ];
    const inside = await folder("Inside", at);
    cast.world.clock.pass(60_000);
    const later = new Date(cast.world.clock.now()).toISOString();
    await upload(cast.world, cast.owner, { versionOf: plain, bytes: "longer" });
    await found(slow, { bpm: 80.5, key: "A minor", duration: 30, genres: [["House", 0.6]], moods: [["Calm", 0.9]] });
    await found(fast, {
      bpm: 174,
      key: "C major",
      duration: 10,
      genres: [
        ["House", 0.7],
        ["Jungle", 0.9],
      ],
    });
    await found(picture, { kind: "image" });
    const { data: statuses } = (await cast.world.call(cast.member, teams.listFileStatuses, { body: { team_id: cast.home.team } })).answer;
    const [first, second] = [statuses[0]!.id, statuses[1]!.id];
    await cast.world.call(cast.member, files.setFileStatus, { body: { file_id: slow, status_id: second } });
    await cast.world.call(cast.member, files.setFileStatus, { body: { file_id: fast, status_id: first } });
    const ids = async (query: Record<string, string | number>) => (await list({ folder_id: at, ...query })).data.map(({ id }) => id);
    expect(await ids({ kind: "audio" })).toEqual([fast, slow]);
    expect(await ids({ kind: "image,folder" })).toEqual([inside, picture]);
    expect(await ids({ bpm_max: "100" })).toEqual([slow]);
    expect(await ids({ bpm_min: "80.5", bpm_max: "174" })).toEqual([fast, slow]);
    expect(await ids({ key: "A minor" })).toEqual([slow]);
    expect([await ids({ tag: "House" }), await ids({ tag: "Calm" }), await ids({ tag: "Hous" })]).toEqual([[fast, slow], [slow], []]);
    expect([await ids({ status_id: `${first}` }), await ids({ status_id: `${first},none` })]).toEqual([[fast], [fast, picture, plain]]);
    expect([await ids({ uploader: `${cast.owner.id}` }), await ids({ uploader: `${cast.guest.id},${cast.owner.id}` })]).toEqual([[plain], [fast, plain]]);
    expect([await ids({ from: later }), await ids({ to: later })]).toEqual([[plain], [inside, fast, picture, slow]]);
    expect(await ids({ sort: "status", order: "desc", kind: "audio" })).toEqual([slow, fast]);
    expect(await ids({ sort: "bpm", order: "desc", limit: 2 })).toEqual([fast, slow]);
    // What has none of it comes last in both directions, also where a page ends there.
    expect(await ids({ sort: "bpm" })).toEqual([slow, fast, picture, plain, inside]);
    expect(await ids({ sort: "status" })).toEqual([fast, slow, inside, picture, plain]);
    expect((await ids({ sort: "size", order: "asc" })).at(-1)).toBe(inside);
    expect(await ids({ sort: "duration", kind: "audio" })).toEqual([fast, slow]);
    expect((await ids({ sort: "size", order: "desc" }))[0]).toBe(plain);
    expect((await ids({ sort: "changed" })).at(-1)).toBe(plain);
    expect((await ids({ sort: "created" })).at(-1)).toBe(inside);
    expect(await ids({ sort: "kind" })).toEqual([fast, slow, plain, inside, picture]);
    const shown = (await list({ folder_id: at, tag: "Jungle" })).data[0];
    expect(shown).toMatchObject({ bpm: 174, key: "C major", tags: ["Jungle", "House"], duration: 10, status: { id: first } });
    const { data } = (await cast.world.call(cast.guest, view.getFileFacets, { params: { project_id: cast.home.project } })).answer;
    expect(data).toMatchObject({
      bpm: { min: 80.5, max: 174 },
      tags: [
        { tag: "House", count: 2 },
        { tag: "Calm", count: 1 },
        { tag: "Jungle", count: 1 },
      ],
    });
    expect(data.keys).toContainEqual({ key: "C major", count: 1 });
    // They go with their file, what is found in it meanwhile too, and come back with it.
    const tagsNow = async () =>
      (await cast.world.call(cast.guest, view.getFileFacets, { params: { project_id: cast.home.project } })).answer.data.tags.map(
        ({ tag, count }) => `${tag} ${count}`,
      );
    await cast.world.call(cast.member, view.deleteFiles, { body: { file_ids: [at] } });
    await found(slow, { bpm: 80.5, key: "A minor", duration: 30, genres: [["House", 0.6]], moods: [["Warm", 0.9]] });
    expect(await tagsNow()).toEqual([]);
    await cast.world.call(cast.member, view.restoreFiles, { body: { file_ids: [at] } });
    expect([await tagsNow(), await ids({ tag: "Warm" })]).toEqual([["House 2", "Jungle 1", "Warm 1"], [slow]]);
    expect(data.statuses.map(({ status }) => status?.id ?? null)).toEqual([first, second, null]);
    expect(data.uploaders).toContainEqual({ account_id: cast.guest.id, count: 1 });
    // A new version of which nothing is known yet has none of it.
    await upload(cast.world, cast.member, { versionOf: fast, bytes: "new" });
    expect([await ids({ tag: "Jungle" }), await ids({ bpm_min: "1" })]).toEqual([[], [slow]]);
  });

  test("everything below, with the way there", async () => {
    const top = await folder();
    const stems = await folder("Stems", top);
    const drums = await folder("Drums", stems);
    await file("kick.wav", drums);
    await file("mix.wav", top);
    await processed(cast.world, await file("bass.wav", stems));
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
    expect(all.data.find(({ name }) => name === "kick.wav")?.path).toBe(`Folder ${drawn}/Stems/Drums`);
    expect(all.data.some(({ id }) => id === cast.home.root)).toBe(false);
    await cast.world.call(cast.member, view.deleteFiles, { body: { file_ids: [stems] } });
    expect(paths(await list({ folder_id: top, deep: "true" }))).toEqual([["", "mix.wav"]]);
  });

  test("pages while rows come, go and are renamed: what stood before and after comes once, in order", async () => {
    const { world, home, member } = cast;
    const rowIn = (parent: number, name: string, is_folder: 0 | 1) => ({
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
    const aName = fc.stringMatching(/^[a-c0-2 ]{0,3}[a-c0-2]$/);
    const change = fc.record({ at: fc.nat(), kind: fc.constantFrom("come", "go", "rename", "found"), name: aName });
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.tuple(aName, fc.constantFrom(0 as const, 1 as const)), { minLength: 5, maxLength: 40, selector: ([name]) => name }),
        fc.array(change, { maxLength: 12 }),
        fc.constantFrom(...FILE_SORTS),
        fc.constantFrom("asc", "desc"),
        fc.integer({ min: 1, max: 7 }),
        async (rows, changes, sort, order, limit) => {
          const at = await world.database.write(async (tx) => {
            const { id } = await tx
              .insertInto("files")
              .values(rowIn(home.root, `paged ${++drawn}`, 1))
              .returning("id")
              .executeTakeFirstOrThrow();
            await tx
              .insertInto("files")
              .values(rows.map(([name, isFolder]) => rowIn(id, name, isFolder)))
              .execute();
            return id;
          });
          const all = async () => (await list({ folder_id: at, sort, order, limit: 500 })).data.map(({ id }) => id);
          // A new name, or what is found in a file, is another place only in the orders that compare it.
          const compared = { rename: ["name", "kind", "status"], found: ["size", "bpm", "duration"], come: [], go: [] } as const;
          const moved = new Set<number>();
          const before = await all();
          const seen: number[] = [];
          const left = [...changes];
          let cursor: string | null = null;
          do {
            const page: { data: FileEntry[]; next_cursor: string | null } = await list({ folder_id: at, sort, order, limit, ...(cursor ? { cursor } : {}) });
            seen.push(...page.data.map(({ id }) => id));
            cursor = page.next_cursor;
            const next = left.pop();
            if (next)
              await world.database.write(async (tx) => {
                const ids = (await tx.selectFrom("files").select("id").where("parent_id", "=", at).where("deleted_at", "is", null).orderBy("id").execute()).map(
                  ({ id }) => id,
                );
                const id = ids[next.at % Math.max(1, ids.length)] ?? 0;
                const name = `${next.name}-${++drawn}`;
                if ((compared[next.kind] as readonly string[]).includes(sort)) moved.add(id);
                if (next.kind === "come")
                  await tx
                    .insertInto("files")
                    .values(rowIn(at, name, 0))
                    .execute();
                else if (next.kind === "go") await tx.updateTable("files").set({ deleted_at: 1 }).where("id", "=", id).execute();
                else if (next.kind === "found") await tx.updateTable("files").set({ size: drawn, bpm: drawn, duration: drawn }).where("id", "=", id).execute();
                else await tx.updateTable("files").set(nameColumns(name, false)).where("id", "=", id).execute();
              });
          } while (cursor);
          const after = await all();
          const stood = before.filter((one) => after.includes(one) && !moved.has(one));
          expect(seen.filter((one) => stood.includes(one))).toEqual(stood);
        },
      ),
      { numRuns: engine === "sqlite" ? 40 : 12 },
    );
  });

  describe("a page costs the same in a large folder and a large project", () => {
    beforeAll(async () => {
      const { project, folder: at } = cast.home;
      const few = sql.raw("with recursive n (i) as (select 1 union all select i + 1 from n where i < 10000)");
      const name = sql.raw("'bulk ' || i, 'bulk ' || i, 'bulk ' || i, 'bulk ' || i");
      await cast.world.database.write((tx) =>
        sql`insert into files
          (project_id, parent_id, is_folder, name, name_key, order_key, folded_name, created_by, created_at, changed_at, size, kind)
          ${few} select ${project}, ${at}, 0, ${name}, ${cast.owner.id}, i, i, i, 'audio' from n`.execute(tx),
      );
      // PostgreSQL counts by itself; SQLite has no statistics in the product either.
      if (engine === "postgres") await cast.world.database.write((tx) => sql`analyze files`.execute(tx));
    }, 60_000);
    const cases = FILE_SORTS.flatMap((sort) =>
      [false, true].flatMap((descending) => (["in", "of"] as const).map((scope) => [sort, descending, scope] as const)),
    );
    test.each(cases)("%s, descending %s, files_%s_…", async (sort, descending, scope) => {
      const { read } = cast.world.database;
      const values = sort === "name" ? ["bulk 5", 5] : sort === "status" || sort === "kind" ? [sort === "kind" ? "audio" : -1, "bulk 5", 5] : [5, 5];
      const place = scope === "in" ? { in: cast.home.folder } : { of: cast.home.project };
      for (const section of SECTIONS[sort])
        for (const after of [null, values]) {
          const query = pageOf(read, place, { sort, descending, filter: EVERYTHING }, { section, after, limit: 101 });
          const { sql: text, parameters } = query.compile();
          const explain = engine === "sqlite" ? "explain query plan" : "explain";
          const plan = JSON.stringify((await read.executeQuery(CompiledQuery.raw(`${explain} ${text}`, [...parameters]))).rows);
          expect(plan).toContain(`files_${scope}_${sort}`);
          // No sorting: the index holds the order.
          expect(plan).not.toMatch(/TEMP B-TREE|Sort/);
        }
    });
  });
});
