/** Inserts an organization of very many records: 1,000 projects, 200 people, 1,500,000 messages and 120,000 files at full size. */
import type { DatabaseSync } from "node:sqlite";
import { createFileInserter, insertLibrary, insertOtherFiles, type Library } from "./insert-files.ts";
import { type Chat, insertMessages, type InsertedChat } from "./insert-messages.ts";

export interface DataSizes {
  /** Messages of the three chats that are measured, and of all others. */
  largestChat: number;
  largeChat: number;
  smallChat: number;
  otherMessages: number;
  /** Files of the project that is measured, and of all others. */
  filesOfLargest: number;
  otherFiles: number;
  projects: number;
  people: number;
  /** One message in so many has `RARE_WORD`. */
  rareInterval: number;
}

/** A word in every second text of the projects that no member sees, and in five messages of the largest chat. */
export const HIDDEN_WORD = "foghorn";
const END = Date.parse("2026-11-01T18:00:00Z");
/** People who see a share of the projects; Ana and Ben come before them. */
export const SEARCHERS = [
  { role: "guest", share: 0.003 },
  { role: "member", share: 0.02 },
  { role: "member", share: 0.15 },
  { role: "member", share: 0.5 },
] as const;
const MEASURED_PROJECTS = 4;
/** Returns the indexes of the projects of somebody who sees this share of them, spread over all. */
export const indexesOf = (share: number, projects: number): number[] => {
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

export interface Organization {
  people: number[];
  chats: { small: InsertedChat; large: InsertedChat; largest: InsertedChat };
  library: Library & { project: number };
}

/** Inserts the people, the projects with their messages and files, and who is a member of which. */
export function insertOrganization(database: DatabaseSync, sizes: DataSizes, log: (step: string) => void): Organization {
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

  log(`data set: ${(sizes.filesOfLargest + sizes.otherFiles).toLocaleString("en-US")} files`);
  const inserter = createFileInserter(database, { people, end: END, count: sizes.filesOfLargest + sizes.otherFiles + 100 });
  for (const index of [0, 1, 2]) inserter.addRoot(projects[index]!, names[index]!);
  const library = { project: projects[3]!, ...insertLibrary(inserter, projects[3]!, sizes.filesOfLargest) };
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
