/** Lists that have pages, and how each is filled with the longest records and read page by page. */
import type { Operation } from "../../../contract/define-operation.ts";
import { foldName, nameOrderKey } from "../../../contract/file-order.ts";
import { LIMITS } from "../../../contract/limits.ts";
import { operations } from "../../../contract/operations/all.ts";
import type { Tx } from "../../db/schema.ts";
import { fillSearchIndex } from "../../db/search.ts";
import type { Fixtures } from "../fixtures.ts";
import { range, insertPeople, insertProjects, groupRows } from "./fill.ts";

export const LONG_TEXT = "\u{1F3B5}".repeat(LIMITS.message_characters / 2);
const RECORDS = 120;
export interface Page {
  data: { id: number }[];
  next_cursor?: string | null;
  has_more?: boolean;
  has_more_before?: boolean;
  has_more_after?: boolean;
}
type Input = Record<string, Record<string, unknown>>;
export interface ListCase {
  /** Inserts the records and returns the input of a page; `previous`: null for the first one. */
  prepare(tx: Tx, fixtures: Fixtures): Promise<(previous: Page | null) => Input | null>;
  /** Fewer where a record is long or slow to make. */
  records: number;
  /** Other records of the fixtures are in the list, too. */
  hasOthers?: boolean;
}

export const byCursor =
  (input: Input, location: "query" | "body", limit: number) =>
  (previous: Page | null): Input | null =>
    previous?.next_cursor === null ? null : { ...input, [location]: { ...input[location], limit, ...(previous ? { cursor: previous.next_cursor } : {}) } };

async function insertMessages(tx: Tx, { home, member }: Fixtures): Promise<void> {
  const row = { project_id: home.project, account_id: member.id, type: "message", is_audio_message: 0 as const, revision: 1, created_at: 1 };
  await tx
    .insertInto("messages")
    .values(range(RECORDS, () => ({ ...row, body: LONG_TEXT })))
    .execute();
}
async function insertFiles(tx: Tx, { home, member }: Fixtures, parent_id: number, isFolder: boolean, count: number): Promise<void> {
  const name = (index: number) => `${index} ${"\u{1F3B5}".repeat(55)}`;
  const row = { project_id: home.project, parent_id, is_folder: isFolder ? (1 as const) : (0 as const), created_by: member.id, created_at: 1 };
  for (let offset = 0; offset < count; offset += 500)
    await tx
      .insertInto("files")
      .values(
        range(500, (index) => name(offset + index)).map((text) => ({
          ...row,
          kind: isFolder ? ("folder" as const) : ("document" as const),
          name: text,
          name_key: text,
          folded_name: foldName(text),
          order_key: nameOrderKey(text, isFolder),
        })),
      )
      .execute();
}
const newFolder = async (tx: Tx, { home, member }: Fixtures, name: string): Promise<number> => {
  const derived = { name_key: name, folded_name: foldName(name), order_key: nameOrderKey(name, true) };
  const values = { project_id: home.project, parent_id: home.root, is_folder: 1 as const, kind: "folder" as const, name, ...derived, created_by: member.id };
  return (
    await tx
      .insertInto("files")
      .values({ ...values, created_at: 1 })
      .returning("id")
      .executeTakeFirstOrThrow()
  ).id;
};

const history = (edge: "before_id" | "after_id") => async (tx: Tx, fixtures: Fixtures) => {
  await insertMessages(tx, fixtures);
  return (previous: Page | null): Input | null => {
    const hasMore = edge === "before_id" ? previous?.has_more_before : previous?.has_more_after;
    if (previous && !hasMore) return null;
    const at = previous ? (edge === "before_id" ? previous.data[0] : previous.data.at(-1))?.id : edge === "after_id" ? 0 : undefined;
    return { body: { project_id: fixtures.home.project, limit: LIMITS.history_max, [edge]: at } };
  };
};

export const CASES: [string, Operation, ListCase][] = [
  ["chatHistory, backwards", operations.chatHistory, { records: RECORDS, hasOthers: true, prepare: history("before_id") }],
  ["chatHistory, forwards", operations.chatHistory, { records: RECORDS, hasOthers: true, prepare: history("after_id") }],
  [
    "searchMessages",
    operations.searchMessages,
    {
      records: RECORDS,
      hasOthers: true,
      async prepare(tx, fixtures) {
        await insertMessages(tx, fixtures);
        await fillSearchIndex(tx, fixtures.testApp.engine);
        return byCursor({ params: { project_id: fixtures.home.project }, query: { account_id: fixtures.member.id } }, "query", LIMITS.history_max);
      },
    },
  ],
  [
    "listFolderTasks",
    operations.listFolderTasks,
    {
      records: 0,
      hasOthers: true,
      async prepare(tx, { home, member }) {
        const row = { file_id: home.file, title: "\u{1F3B5}".repeat(150), created_by: member.id, created_at: 1 };
        for (let offset = 0; offset < 2_500; offset += 500)
          await tx
            .insertInto("tasks")
            .values(range(500, (index) => ({ ...row, position: offset + index + 100 })))
            .execute();
        return (previous) => (previous ? null : { body: { file_id: home.file } });
      },
    },
  ],
  [
    "listComments",
    operations.listComments,
    {
      records: RECORDS,
      async prepare(tx, { home, member }) {
        const row = { project_id: home.project, file_id: home.file, version: 1, account_id: member.id, body: LONG_TEXT, created_at: 1 };
        await tx
          .insertInto("comments")
          .values(range(RECORDS, () => row))
          .execute();
        const params = { file_id: home.file };
        return (previous) => (previous?.has_more === false ? null : { params, query: previous ? { after_id: previous.data.at(-1)?.id } : {} });
      },
    },
  ],
  [
    "listStatusChanges",
    operations.listStatusChanges,
    {
      records: 200,
      async prepare(tx, { home, member }) {
        const { id } = await tx.selectFrom("file_statuses").select("id").limit(1).executeTakeFirstOrThrow();
        const note = "\u{1F3B5}".repeat(2_000);
        const row = { file_id: home.file, old_status_id: id, new_status_id: id, note, account_id: member.id, created_at: 1 };
        await tx
          .insertInto("status_changes")
          .values(range(200, () => row))
          .execute();
        return byCursor({ params: { file_id: home.file } }, "query", LIMITS.history_max);
      },
    },
  ],
  [
    "listFolders",
    operations.listFolders,
    {
      records: 3_000,
      hasOthers: true,
      async prepare(tx, fixtures) {
        await insertFiles(tx, fixtures, await newFolder(tx, fixtures, "of folders"), true, 3_000);
        return byCursor({ params: { project_id: fixtures.home.project } }, "query", LIMITS.files_page_max);
      },
    },
  ],
  [
    "listFolder",
    operations.listFolder,
    {
      records: 3_000,
      async prepare(tx, fixtures) {
        const folder = await newFolder(tx, fixtures, "of files");
        await insertFiles(tx, fixtures, folder, false, 3_000);
        return byCursor({ body: { file_id: folder } }, "body", LIMITS.files_page_max);
      },
    },
  ],
  [
    "listFiles, with long paths",
    operations.listFiles,
    {
      records: 500,
      async prepare(tx, fixtures) {
        let folder = await newFolder(tx, fixtures, "deep");
        const top = folder;
        const name = "\u{1F3B5}".repeat(60);
        const derived = { name_key: name, folded_name: name, order_key: nameOrderKey(name, true) };
        for (let depth = 0; depth < 20; depth += 1) {
          const values = { project_id: fixtures.home.project, parent_id: folder, is_folder: 1 as const, kind: "folder" as const, name, ...derived };
          const inserted = tx.insertInto("files").values({ ...values, created_by: fixtures.member.id, created_at: 1 });
          folder = (await inserted.returning("id").executeTakeFirstOrThrow()).id;
        }
        await insertFiles(tx, fixtures, folder, false, 500);
        const query = { deep: "true", folder_id: String(top), kind: "document" };
        return byCursor({ params: { project_id: fixtures.home.project }, query }, "query", LIMITS.files_page_max);
      },
    },
  ],
  [
    "listDeletedFiles",
    operations.listDeletedFiles,
    {
      records: 300,
      hasOthers: true,
      async prepare(tx, fixtures) {
        const folder = await newFolder(tx, fixtures, "of deleted files");
        await insertFiles(tx, fixtures, folder, false, 300);
        await tx
          .updateTable("files")
          .set((eb) => ({ deleted_at: fixtures.testApp.clock.now(), deleted_with: eb.ref("id") }))
          .where("parent_id", "=", folder)
          .execute();
        return byCursor({ params: { project_id: fixtures.home.project } }, "query", LIMITS.history_max);
      },
    },
  ],
  [
    "listVersions",
    operations.listVersions,
    {
      records: 300,
      hasOthers: true,
      async prepare(tx, { home, member }) {
        const { blob_key } = await tx.selectFrom("file_versions").select("blob_key").where("file_id", "=", home.file).executeTakeFirstOrThrow();
        const row = { file_id: home.file, blob_key, size: 1, created_by: member.id, created_at: 1, failure: "x".repeat(5_000) };
        await tx
          .insertInto("file_versions")
          .values(range(300, (index) => ({ ...row, number: index + 100 })))
          .execute();
        return byCursor({ params: { file_id: home.file } }, "query", LIMITS.history_max);
      },
    },
  ],
  [
    "listProjectMembers",
    operations.listProjectMembers,
    {
      records: 600,
      hasOthers: true,
      async prepare(tx, fixtures) {
        const ids = await insertPeople(tx, fixtures, 600);
        await tx
          .insertInto("project_members")
          .values(ids.map((account_id) => ({ project_id: fixtures.home.project, account_id, added_at: 1 })))
          .execute();
        return byCursor({ params: { project_id: fixtures.home.project } }, "query", LIMITS.history_max);
      },
    },
  ],
  [
    "listProjectsByGroup",
    operations.listProjectsByGroup,
    {
      records: 400,
      hasOthers: true,
      async prepare(tx, fixtures) {
        await insertProjects(tx, fixtures, fixtures.home.group, 400);
        return byCursor({ body: { group_id: fixtures.home.group } }, "body", LIMITS.history_max);
      },
    },
  ],
  [
    "listProjectsWithoutGroup",
    operations.listProjectsWithoutGroup,
    {
      records: 400,
      async prepare(tx, fixtures) {
        await insertProjects(tx, fixtures, null, 400);
        return byCursor({ body: { team_id: fixtures.home.team } }, "body", LIMITS.history_max);
      },
    },
  ],
  [
    "listGroups",
    operations.listGroups,
    {
      records: 400,
      hasOthers: true,
      async prepare(tx, fixtures) {
        await tx.insertInto("project_groups").values(groupRows(fixtures, 400)).execute();
        return byCursor({ body: { team_id: fixtures.home.team } }, "body", LIMITS.history_max);
      },
    },
  ],
];
