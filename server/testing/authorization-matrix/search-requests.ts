/** The matrix rows about search: a record of each kind in every project, which all have the same word, and the letters of what a response contains. */
import { fileNameKey } from "../../../contract/file-order.ts";
import type { SearchGroup } from "../../../contract/search-records.ts";
import { indexRecords, type RecordKind } from "../../db/search-documents.ts";
import type { NewRow, Tx } from "../../db/schema.ts";
import { indexMessage } from "../../modules/conversation/message-repository.ts";
import type { ProjectFixture } from "../fixtures.ts";
import type { RequestBuilder } from "./request-builder.ts";
import type { Scenario } from "./scenario.ts";

/** In the format of `table.ts`. */
export const SEARCH_TABLE = `
search               projects                       200:f 200:f 200:f 200:f | 200:n 200:n | 200:h 200:h 200:hna 200:hna
search               people                         200:PQRS 200:PQRS 200:PQRS 200:PQRS | 200:AGMNOTX 200:ANOX | 200:AGMOT 200:AGMNOTX 200:AGMNOTX 200:AGMNOTX
search               files                          200:f 200:f 200:f 200:f | 200:n 200:n | 200:h 200:h 200:hna 200:hna
search               playlists                      200:f 200:f 200:f 200:f | 200:n 200:n | 200:h 200:h 200:hna 200:hna
search               tasks                          200:f 200:f 200:f 200:f | 200:n 200:n | 200:h 200:h 200:hna 200:hna
search               messages                       200:f 200:f 200:f 200:f | 200:n 200:n | 200:h 200:h 200:hna 200:hna
search               comments                       200:f 200:f 200:f 200:f | 200:n 200:n | 200:h 200:h 200:hna 200:hna
search               by the owner of home           200: 200: 200: 200: | 200:n 200:n | 200:h 200:h 200:hna 200:hna
search               in home                        404 404 404 404 | 404 404 | 200:h 200:h 200:h 200:h
search               in foreign                     200:f 200:f 200:f 200:f | 404 404 | 404 404 404 404
search               near apart                     404 404 404 404 | 404 404 | 404 404 200:hna 200:hna
`;

const WORD = "searchable";
const prepared = new WeakSet<Scenario>();

async function insertIndexed(tx: Tx, scenario: Scenario, kind: RecordKind, insert: Promise<{ id: number }>): Promise<number> {
  const { id } = await insert;
  await indexRecords(tx, scenario.fixtures.testApp.engine, kind, [id]);
  return id;
}

async function insertRecords(tx: Tx, scenario: Scenario, { project, root }: ProjectFixture, accountId: number): Promise<void> {
  const { testApp } = scenario.fixtures;
  const now = testApp.clock.now();
  const returning = <T extends "files" | "playlists" | "tasks" | "comments">(table: T, values: NewRow<T>) =>
    tx
      .insertInto(table)
      .values(values as never)
      .returning("id")
      .executeTakeFirstOrThrow();
  await tx.updateTable("projects").set({ description: WORD }).where("id", "=", project).execute();
  await indexRecords(tx, testApp.engine, "project", [project]);
  const folder = { project_id: project, parent_id: root, is_folder: 1 as const, kind: "folder" as const, name: WORD, name_key: fileNameKey(WORD) };
  const times = { created_by: accountId, created_at: now };
  const file_id = await insertIndexed(tx, scenario, "file", returning("files", { ...folder, ...times, uploader_id: accountId, changed_at: now }));
  await insertIndexed(tx, scenario, "playlist", returning("playlists", { project_id: project, name: WORD, ...times, updated_at: now }));
  await insertIndexed(
    tx,
    scenario,
    "task",
    returning("tasks", { file_id, title: WORD, position: 1, ...times, assignee_id: null, due_at: null, closed_at: null, closed_by: null }),
  );
  const text = { project_id: project, account_id: accountId, body: WORD, created_at: now };
  await insertIndexed(
    tx,
    scenario,
    "comment",
    returning("comments", { ...text, file_id, version: 1, position_ms: null, end_ms: null, parent_id: null, client_id: null, request_hash: null }),
  );
  const message = await tx
    .insertInto("messages")
    .values({ ...text, type: "message", is_audio_message: 0, revision: 1 })
    .returningAll()
    .executeTakeFirstOrThrow();
  await indexMessage(tx, testApp.engine, message, false);
}

/** Rows only read these records, so that they are inserted once. */
async function prepare(scenario: Scenario): Promise<void> {
  if (prepared.has(scenario)) return;
  prepared.add(scenario);
  const { testApp, owner, foreignOwner, home, next, apart, foreign } = scenario.fixtures;
  await testApp.database.write(async (tx) => {
    for (const project of [home, next, apart]) await insertRecords(tx, scenario, project, owner.id);
    await insertRecords(tx, scenario, foreign, foreignOwner.id);
  });
}

const searchFor =
  (buildQuery: (scenario: Scenario) => object): RequestBuilder =>
  async (scenario) => {
    await prepare(scenario);
    return { query: { q: WORD, limit: "50", ...buildQuery(scenario) } };
  };

export const SEARCH_REQUESTS: Record<string, RequestBuilder> = {
  "search projects": searchFor(() => ({ kind: "project" })),
  // The part of the email addresses that all have in common.
  "search people": searchFor(() => ({ kind: "person", q: "talkback" })),
  "search files": searchFor(() => ({ kind: "file" })),
  "search playlists": searchFor(() => ({ kind: "playlist" })),
  "search tasks": searchFor(() => ({ kind: "task" })),
  "search messages": searchFor(() => ({ kind: "message" })),
  "search comments": searchFor(() => ({ kind: "comment" })),
  "search by the owner of home": searchFor(({ fixtures }) => ({ account_id: fixtures.owner.id })),
  "search in home": searchFor(({ fixtures }) => ({ project_id: fixtures.home.project })),
  "search in foreign": searchFor(({ fixtures }) => ({ project_id: fixtures.foreign.project })),
  "search near apart": searchFor(({ fixtures }) => ({ near_project_id: fixtures.apart.project })),
};

/** Returns the ids of the people that were found, and those of the projects of everything else. */
export function foundIds(data: { groups: SearchGroup[] }): { people: number[]; projects: number[] } {
  const results = data.groups.flatMap((group) => group.results);
  return {
    people: results.filter(({ kind }) => kind === "person").map(({ id }) => id),
    projects: results.flatMap(({ project }) => project?.id ?? []),
  };
}
