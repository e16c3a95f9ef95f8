/** Seeds the data set of the benchmarks directly in the database, checks it, and finds the one of an earlier run. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { ROOT } from "../../bin/lib/paths.mjs";
import { hashFiles } from "../../bin/lib/stamp.mjs";
import { PARTICIPANT_SCOPES } from "../../contract/define-operation.ts";
import { type Database, openSqliteDatabase } from "../../server/db/database.ts";
import { findMatchingIds } from "../../server/db/search-index.ts";
import { fillRecordIndex, RECORD_KINDS } from "../../server/db/search-documents.ts";
import { issueToken } from "../../server/modules/accounts/api-tokens.ts";
import { insertSession } from "../../server/modules/accounts/sessions.ts";
import { createOwnerByCli } from "../../server/testing/service-process.ts";
import { writeFast } from "./fast-writes.ts";
import { RARE_WORD } from "./generated-chat.ts";
import { type DataSizes, indexesOf, insertOrganization, type Organization, SEARCHERS } from "./insert-organization.ts";

export const FULL_SIZES: DataSizes = {
  largestChat: 1_000_000,
  largeChat: 100_000,
  smallChat: 1_000,
  otherMessages: 399_000,
  filesOfLargest: 100_000,
  otherFiles: 20_000,
  projects: 1_000,
  people: 200,
  rareInterval: 50_000,
};
export const QUICK_SIZES: DataSizes = {
  largestChat: 20_000,
  largeChat: 5_000,
  smallChat: 1_000,
  otherMessages: 5_000,
  filesOfLargest: 5_000,
  otherFiles: 2_000,
  projects: 60,
  people: 200,
  rareInterval: 5_000,
};

export type Headers = Record<string, string>;

export interface DataPerson {
  id: number;
  name: string;
  headers: Headers;
  /** `name=value` of the session cookie of a browser on the service's own address. */
  cookie: string;
}

export interface DataSet extends Omit<Organization, "people"> {
  /** Of the code that has written it. */
  stamp: string;
  folder: string;
  sizes: DataSizes;
  owner: { headers: Headers };
  /** Two members of the three chats and the library. */
  ana: DataPerson;
  ben: DataPerson;
  /** People who see some of the projects. */
  searchers: { label: string; headers: Headers }[];
  /** Members of the small chat, everybody but the owner. */
  everybody: Headers[];
}

/** What decides how a data set is written. */
const SOURCES = ["bench/data", "server/db", "contract/search-tokens.ts", "contract/file-order.ts", "contract/links.ts"];
const sourceStamp = (): string => hashFiles(ROOT, SOURCES, (path) => !path.endsWith(".test.ts"));

const FACTS_FILE = "data-set.json";
const INDEXED_TABLES = ["messages", "files", "file_versions", "file_tags", "tasks", "comments"];

/** Throws unless the search index has an entry for every message, and finds those that it must. */
export async function assertConsistent(database: Database, folder: string, sizes: DataSizes): Promise<void> {
  const total = sizes.largestChat + sizes.largeChat + sizes.smallChat + sizes.otherMessages;
  const { messages, files } = await database.read
    .selectNoFrom(({ selectFrom }) => [
      selectFrom("messages")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .as("messages"),
      selectFrom("files")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .where("is_folder", "=", 0)
        .as("files"),
    ])
    .executeTakeFirstOrThrow();
  const indexed = (await sql<{ count: number }>`select count(*) as count from message_search`.execute(database.read)).rows[0]?.count;
  const query = { terms: [{ token: RARE_WORD, isPrefix: false }], filters: [] };
  const found = await findMatchingIds(database.read, "sqlite", "message", query, { before: null, limit: 10_000, where: sql<boolean>`true` });
  const expected = Math.ceil(total / sizes.rareInterval);
  const fileTotal = sizes.filesOfLargest + sizes.otherFiles + 100;
  if (messages !== total || indexed !== total || files !== fileTotal || found.length !== expected)
    throw new Error(
      `The data set in ${folder} is inconsistent: ${messages} of ${total} messages, ${indexed} in the index, ${files} of ${fileTotal} files, ${found.length} of ${expected} found`,
    );
}

/** Creates the data set in an empty folder. */
export async function seedDataSet(folder: string, sizes: DataSizes, log: (step: string) => void): Promise<DataSet> {
  const startedAt = performance.now();
  mkdirSync(folder, { recursive: true });
  const owner = await createOwnerByCli(folder);
  const { people, ...facts } = writeFast(folder, INDEXED_TABLES, (database) => insertOrganization(database, sizes, log), log);
  log("data set: search index of files and other records");
  const database = openSqliteDatabase(folder);
  try {
    const headers: Headers[] = [];
    const cookies: string[] = [];
    await database.write(async (tx) => {
      for (const kind of RECORD_KINDS) await fillRecordIndex(tx, "sqlite", kind);
      // So that each run begins with the same index, and merges only what it adds.
      await sql`insert into message_search (message_search) values ('optimize')`.execute(tx);
      const now = Date.now();
      for (const id of people)
        headers.push({ authorization: `Bearer ${(await issueToken(tx, now, id, { name: "bench", scopes: [...PARTICIPANT_SCOPES], expiresAt: null })).token}` });
      for (const id of people.slice(0, 2)) cookies.push(`talkback=${(await insertSession(tx, now, id, { userAgent: "bench", address: "127.0.0.1" })).token}`);
    });
    await assertConsistent(database, folder, sizes);
    const person = (index: number, name: string): DataPerson => ({ id: people[index]!, name, headers: headers[index]!, cookie: cookies[index]! });
    const searchers = [
      { label: "owner", headers: owner.headers },
      ...SEARCHERS.map(({ role, share }, index) => ({ label: `${role} of ${indexesOf(share, sizes.projects).length}`, headers: headers[index + 2]! })),
    ];
    const dataSet: DataSet = {
      stamp: sourceStamp(),
      folder,
      sizes,
      owner: { headers: owner.headers },
      ana: person(0, "Ana"),
      ben: person(1, "Ben"),
      searchers,
      everybody: headers,
      ...facts,
    };
    writeFileSync(join(folder, FACTS_FILE), JSON.stringify(dataSet), { mode: 0o600 });
    log(`data set: ready in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
    return dataSet;
  } finally {
    await database.close();
  }
}

/** Returns the data set of an earlier run, or null if the folder has no complete one of the present code. */
export function readDataSet(folder: string): DataSet | null {
  const file = join(folder, FACTS_FILE);
  if (!existsSync(file)) return null;
  const dataSet = JSON.parse(readFileSync(file, "utf8")) as DataSet;
  return dataSet.stamp === sourceStamp() ? { ...dataSet, folder } : null;
}
