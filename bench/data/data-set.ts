/** Seeds the data set of the benchmarks: an organization with 1,000 projects, 200 people, 1,500,000 messages and 120,000 files, directly in the database. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { PARTICIPANT_SCOPES } from "../../contract/define-operation.ts";
import { type Database, openSqliteDatabase } from "../../server/db/database.ts";
import { findMatchingIds } from "../../server/db/search-index.ts";
import { fillRecordIndex, RECORD_KINDS } from "../../server/db/search-documents.ts";
import { issueToken } from "../../server/modules/accounts/api-tokens.ts";
import { insertSession } from "../../server/modules/accounts/sessions.ts";
import { createOwnerByCli } from "../../server/testing/service-process.ts";
import { writeFast } from "./fast-writes.ts";
import { RARE_WORD } from "./generated-chat.ts";
import { createFileInserter, insertLibrary, insertOtherFiles, type Library } from "./insert-files.ts";
import { type Chat, insertMessages, type InsertedChat } from "./insert-messages.ts";

export interface DataSizes {
  /** Messages of the three chats that are measured, and of all others. */
  largestChat: number;
  largeChat: number;
  smallChat: number;
  otherMessages: number;
  /** Files of the project that is measured, and of all others. */
  libraryFiles: number;
  otherFiles: number;
  projects: number;
  people: number;
  /** One message in so many has `RARE_WORD`. */
  rareInterval: number;
}

export const FULL_SIZES: DataSizes = {
  largestChat: 1_000_000,
  largeChat: 100_000,
  smallChat: 1_000,
  otherMessages: 399_000,
  libraryFiles: 100_000,
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
  libraryFiles: 5_000,
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

export interface DataSet {
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
  chats: { small: InsertedChat; large: InsertedChat; largest: InsertedChat };
  library: Library & { project: number };
}

/** A word in every second text of the projects that no member sees, and in five messages of the largest chat. */
export const HIDDEN_WORD = "foghorn";
const END = Date.parse("2026-11-01T18:00:00Z");
const SEARCHERS = [
  { role: "guest", share: 0.003 },
  { role: "member", share: 0.02 },
  { role: "member", share: 0.15 },
  { role: "member", share: 0.5 },
] as const;
const MEASURED_PROJECTS = 4;
const FACTS_FILE = "data-set.json";
const INDEXED_TABLES = ["messages", "files", "file_versions", "file_tags", "tasks", "comments"];

/** Returns the indexes of the projects of somebody who sees this share of them, spread over all. */
const indexesOf = (share: number, projects: number): number[] => {
  const count = Math.max(1, Math.round(share * projects));
  return Array.from({ length: count }, (_, nth) => Math.floor((nth * projects) / count));
};

function insertPeople(database: DatabaseSync, count: number): number[] {
  const insert = database.prepare(`insert into accounts (organisation_id, role, username, username_key, email, email_key, user_info, created_at)
    values (1, ?, ?, ?, ?, ?, '', 0) returning id`);
  return Array.from({ length: count }, (_, index) => {
    const name = ["Ana", "Ben"][index] ?? `Person ${index}`;
    const email = `${name.toLowerCase().replace(" ", "")}@northwind.test`;
    return (insert.get(SEARCHERS[index - 2]?.role ?? "member", name, name.toLowerCase(), email, email) as { id: number }).id;
  });
}

/** Returns the sizes of so many chats, some with a hundred times as many messages as others, which add up to `total`. */
export function chatSizes(chats: number, total: number): number[] {
  const weights = Array.from({ length: chats }, (_, index) => ((index + 1) / chats) ** -0.6);
  const sum = weights.reduce((left, right) => left + right, 0);
  const sizes = weights.map((weight) => Math.floor((weight / sum) * total));
  const rest = total - sizes.reduce((left, right) => left + right, 0);
  if (sizes.length > 0) sizes[0]! += rest;
  return sizes;
}

function insertAll(database: DatabaseSync, sizes: DataSizes, log: (step: string) => void): Pick<DataSet, "chats" | "library"> & { people: number[] } {
  const people = insertPeople(database, sizes.people);
  const { team } = database.prepare("select min(id) as team from teams").get() as { team: number };
  const insertProject = database.prepare("insert into projects (team_id, name, description, created_at, created_by) values (?, ?, '', 0, 1) returning id");
  const names = ["Largest", "Large", "Small", "Library"];
  const projects = Array.from({ length: sizes.projects }, (_, index) => (insertProject.get(team, names[index] ?? `Project ${index}`) as { id: number }).id);
  const memberships = people.map((_, person) => {
    const share = SEARCHERS[person - 2]?.share;
    if (person < 2) return [0, 1, 2, 3];
    return [...new Set([2, ...(share === undefined ? [] : indexesOf(share, sizes.projects))])];
  });
  const seen = new Set(memberships.flat());

  log(`data set: ${(sizes.largestChat + sizes.largeChat + sizes.smallChat + sizes.otherMessages).toLocaleString("en-US")} messages and their search index`);
  const [writers, others] = [people.slice(0, 4), projects.slice(MEASURED_PROJECTS)];
  const otherSizes = chatSizes(others.length, sizes.otherMessages);
  const chats: Chat[] = [
    { project: projects[0]!, authors: writers, messages: sizes.largestChat, word: { text: HIDDEN_WORD, limit: 5 } },
    { project: projects[1]!, authors: writers, messages: sizes.largeChat },
    { project: projects[2]!, authors: writers, messages: sizes.smallChat },
    ...others.map((project, index) => ({
      project,
      authors: people,
      messages: otherSizes[index]!,
      ...(seen.has(index + MEASURED_PROJECTS) ? {} : { word: { text: HIDDEN_WORD } }),
    })),
  ];
  const [largest, large, small] = insertMessages(database, chats, { end: END, rareInterval: sizes.rareInterval });

  log(`data set: ${(sizes.libraryFiles + sizes.otherFiles).toLocaleString("en-US")} files`);
  const inserter = createFileInserter(database, { people, end: END, count: sizes.libraryFiles + sizes.otherFiles + 100 });
  for (const index of [0, 1, 2]) inserter.addRoot(projects[index]!, names[index]!);
  const library = { project: projects[3]!, ...insertLibrary(inserter, projects[3]!, sizes.libraryFiles) };
  const hidden = new Set(projects.filter((_, index) => !seen.has(index)));
  let nth = 0;
  const textIn = (project: number, text: string) => (hidden.has(project) && (nth += 1) % 2 === 0 ? `${HIDDEN_WORD} ${text}` : text);
  insertOtherFiles(database, inserter, { projects: others, people, count: sizes.otherFiles, end: END, textIn });

  const addMember = database.prepare("insert into project_members (project_id, account_id, added_at) values (?, ?, 0)");
  const addMarker = database.prepare(`insert into read_markers (project_id, account_id, last_read_message_id, moved_at, comments_since)
    select id, ?, coalesce(last_message_id, 0), 0, 1000000000 from projects where id = ?`);
  const addToTeam = database.prepare("insert into team_members (team_id, account_id, added_at) values (?, ?, 0)");
  for (const [person, indexes] of memberships.entries()) {
    addToTeam.run(team, people[person]!);
    for (const index of indexes) {
      addMember.run(projects[index]!, people[person]!);
      addMarker.run(people[person]!, projects[index]!);
    }
  }
  return { people, library, chats: { largest: largest!, large: large!, small: small! } };
}

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
  const { sql } = await import("kysely");
  const indexed = (await sql<{ count: number }>`select count(*) as count from message_search`.execute(database.read)).rows[0]?.count;
  const query = { terms: [{ token: RARE_WORD, isPrefix: false }], filters: [] };
  const found = await findMatchingIds(database.read, "sqlite", "message", query, { before: null, limit: 10_000, where: sql<boolean>`true` });
  const expected = Math.ceil(total / sizes.rareInterval);
  const fileTotal = sizes.libraryFiles + sizes.otherFiles + 100;
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
  const { people, ...facts } = writeFast(folder, INDEXED_TABLES, (database) => insertAll(database, sizes, log), log);
  log("data set: search index of files and other records");
  const database = openSqliteDatabase(folder);
  try {
    const headers: Headers[] = [];
    const cookies: string[] = [];
    await database.write(async (tx) => {
      for (const kind of RECORD_KINDS) await fillRecordIndex(tx, "sqlite", kind);
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

/** Returns the data set of an earlier run, or null if the folder has no complete one. */
export function readDataSet(folder: string): DataSet | null {
  const file = join(folder, FACTS_FILE);
  return existsSync(file) ? { ...(JSON.parse(readFileSync(file, "utf8")) as DataSet), folder } : null;
}
