/** Tests that people with more projects than the index filters by find everything in them, and nothing of others. */
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addProjectMember, removeProjectMember } from "../../../contract/operations/projects.ts";
import { search as searchOperation } from "../../../contract/operations/search.ts";
import { findMatchingIds } from "../../db/search-index.ts";
import { currentCaller, runForCaller } from "../../lib/current-caller.ts";
import { findMismatches, ROWS } from "../../testing/authorization-matrix/run.ts";
import { createScenario, getPerson, PEOPLE, type Scenario } from "../../testing/authorization-matrix/scenario.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createMessage } from "../../testing/fixtures.ts";
import { createRecordProjects } from "./record-projects.ts";

/** Of each person alone. */
const EMPTY_PROJECTS = 40;
const SEARCH_ROWS = ROWS.filter(({ operation }) => operation === "search");

describe.each(ENGINES)("search in many projects on %s", { timeout: 60_000 }, (engine) => {
  let scenario: Scenario;
  beforeAll(async () => {
    scenario = await createScenario(engine);
    const { testApp, home, foreign, owner } = scenario.fixtures;
    await testApp.database.write(async (tx) => {
      for (const [name] of PEOPLE) {
        const team_id = name.startsWith("foreign") ? foreign.team : home.team;
        const projects = Array.from({ length: EMPTY_PROJECTS }, (_, index) => ({
          team_id,
          name: `${name} ${index}`,
          description: "",
          created_at: 1,
          created_by: owner.id,
        }));
        const rows = await tx.insertInto("projects").values(projects).returning("id").execute();
        const account_id = getPerson(scenario, name).id;
        await tx
          .insertInto("project_members")
          .values(rows.map(({ id }) => ({ project_id: id, account_id, added_at: 1 })))
          .execute();
      }
    });
  }, 60_000);
  afterAll(() => scenario.fixtures.testApp.close());

  it.each(SEARCH_ROWS)("$name", async (row) => expect(await findMismatches(scenario, [row])).toEqual([]));

  it("follows memberships, and finds at once what is written", async () => {
    const { testApp, owner, member, guest, home, next } = scenario.fixtures;
    const find = async (by = member) => {
      const { groups } = (await testApp.call(by, searchOperation, { query: { q: "sousaphone" } })).response.data;
      return groups.flatMap(({ results }) => results.map(({ text }) => text));
    };
    await createMessage(testApp, owner, next.project, "The sousaphone next door");
    await createMessage(testApp, owner, home.project, "A sousaphone at home");
    expect([await find(), await find(guest)]).toEqual([["A sousaphone at home"], ["A sousaphone at home"]]);
    await testApp.call(owner, addProjectMember, { params: { project_id: next.project }, body: { account_id: member.id } });
    expect([await find(), await find(guest)]).toEqual([["A sousaphone at home", "The sousaphone next door"], ["A sousaphone at home"]]);
    await createMessage(testApp, owner, next.project, "Another sousaphone");
    expect(await find()).toEqual(["Another sousaphone", "A sousaphone at home", "The sousaphone next door"]);
    await testApp.call(owner, removeProjectMember, { params: { project_id: next.project, account_id: member.id } });
    expect(await find()).toEqual(["A sousaphone at home"]);
  });

  it("loads what is missing in many parts as work of the service, not of who searches", async () => {
    const { testApp } = scenario.fixtures;
    const seen: unknown[] = [];
    const database = {
      engine,
      get backgroundRead() {
        seen.push(currentCaller());
        return testApp.database.backgroundRead;
      },
    };
    const { findIdsToSkip } = createRecordProjects({ database, clock: testApp.clock }, 2);
    const caller = { accountId: 1, organisationId: 1 };
    expect(await runForCaller(caller, () => findIdsToSkip("message", []))).toBeNull();
    await expect.poll(() => findIdsToSkip("message", []), { interval: 10 }).not.toBeNull();
    expect(seen.length).toBeGreaterThan(2);
    expect(seen).toEqual([caller, ...seen.slice(1).map(() => null)]);
  });

  it("finds records without a byte, also if there are no bytes at all", async () => {
    const { testApp, owner, home } = scenario.fixtures;
    const id = await createMessage(testApp, owner, home.project, "A contrabassoon");
    const find = (skipped: Uint8Array) => {
      const terms = [{ token: "contrabassoon", isPrefix: false }];
      const page = { before: null, limit: 1, where: sql<boolean>`1 = 1`, skipped };
      return findMatchingIds(testApp.database.read, engine, "message", { terms, filters: [] }, page);
    };
    for (const length of [0, 1, id - 1]) expect(await find(new Uint8Array(length).fill(1)), `${length}`).toEqual([id]);
    expect(await find(new Uint8Array(id))).toEqual([id]);
    expect(await find(new Uint8Array(id).fill(1))).toEqual([]);
  });

  it("skips exactly the records of other projects, of every kind, also of those created since, and none that it does not know", async () => {
    const { testApp, owner, home, next } = scenario.fixtures;
    const { read } = testApp.database;
    let { findIdsToSkip } = createRecordProjects(testApp);
    const expectExact = async (projects: number[]) => {
      const tasks = read.selectFrom("tasks").innerJoin("files", "files.id", "tasks.file_id").select(["tasks.id", "files.project_id"]);
      const records = {
        message: await read.selectFrom("messages").select(["id", "project_id"]).execute(),
        comment: await read.selectFrom("comments").select(["id", "project_id"]).execute(),
        file: await read.selectFrom("files").select(["id", "project_id"]).execute(),
        task: await tasks.execute(),
        playlist: await read.selectFrom("playlists").select(["id", "project_id"]).execute(),
      };
      for (const [kind, rows] of Object.entries(records)) {
        const bytes = (await findIdsToSkip(kind as keyof typeof records, projects))!;
        expect(new Set(rows.map((row) => row.project_id)).size, kind).toBeGreaterThan(3);
        expect(bytes, kind).toHaveLength(Math.max(...rows.map(({ id }) => id)));
        for (const row of rows) expect(bytes[row.id - 1], `${kind} ${row.id}`).toBe(projects.includes(row.project_id) ? 0 : 1);
      }
    };
    for (const projects of [[home.project], [home.project, next.project], [], [1_000_000]]) await expectExact(projects);
    const before = await findIdsToSkip("message", [home.project]);
    const id = await createMessage(testApp, owner, next.project, "created since");
    // While the result is reused, what was created meanwhile has no byte.
    expect(await findIdsToSkip("message", [home.project])).toBe(before);
    expect(before![id - 1]).toBeUndefined();
    testApp.clock.advance(10_000);
    await expectExact([home.project]);
    await expectExact([next.project]);
    // Many at once are loaded while searches do without.
    ({ findIdsToSkip } = createRecordProjects(testApp, 2));
    for (const kind of ["message", "comment", "file", "task", "playlist"] as const) {
      expect(await findIdsToSkip(kind, []), kind).toBeNull();
      await expect.poll(() => findIdsToSkip(kind, []), { interval: 10 }).not.toBeNull();
    }
    await expectExact([next.project]);
    const bytes = await findIdsToSkip("message", []);
    for (const project of [1, 2, 3, 4]) await findIdsToSkip("message", [project]);
    expect(await findIdsToSkip("message", [])).not.toBe(bytes);
  });
});
