/** Seeds an organization with very many records of every kind, directly in the database, and their search indexes. */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { SCOPES } from "../../contract/define-operation.ts";
import { foldName, nameOrderKey } from "../../contract/file-order.ts";
import { openSqliteDatabase } from "../../server/db/database.ts";
import { fillRecordIndex, RECORD_KINDS } from "../../server/db/search-documents.ts";
import { fillSearchIndex } from "../../server/db/search.ts";
import { issueToken } from "../../server/modules/accounts/api-tokens.ts";
import { createRandom, generateChat } from "../chat/generated-chat.ts";

export const PROJECTS = 1_000;
const PEOPLE = 200;
/** A word that only projects have which no member sees, apart from a few old records of the largest project. */
export const HIDDEN_WORD = "foghorn";
const NAMES = ["kick", "snare", "vocal", "bass", "pad", "lead", "mix", "master", "stem", "loop", "take", "bounce"];
const TAGS = ["House", "Techno", "Ambient", "Dark", "Warm", "Drums", "Piano", "Guitar"];
const KEYS = ["A minor", "C major", "F# minor", "Eb major", "G minor"];
const END = Date.parse("2026-11-01T18:00:00Z");

export interface SeedSizes {
  messages: number;
  files: number;
}

export interface Member {
  role: "member" | "guest";
  projects: number;
}

/** Returns the indexes of the projects that somebody with so many is a member of, the largest first. */
const projectsOf = ({ projects }: Member): number[] => Array.from({ length: projects }, (_, nth) => Math.floor((nth * PROJECTS) / projects));

/** Returns a token of each member. */
export async function seedOrganization(folder: string, { messages, files }: SeedSizes, members: readonly Member[]): Promise<string[]> {
  const raw = new DatabaseSync(join(folder, "talkback.db"), { timeout: 5_000 });
  const random = createRandom(7);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const id = (statement: string, ...values: (string | number | null)[]) => (raw.prepare(statement).get(...values) as { id: number }).id;
  raw.exec("begin");
  const people = Array.from({ length: PEOPLE }, (_, index) =>
    id(
      `insert into accounts (organisation_id, role, username, username_key, email, email_key, user_info, created_at)
        values (1, ?, ?, ?, ?, ?, '', 0) returning id`,
      members[index]?.role ?? "member",
      `Person ${index}`,
      `person ${index}`,
      `p${index}@northwind.test`,
      `p${index}@northwind.test`,
    ),
  );
  const insertFile = raw.prepare(`insert into files (project_id, parent_id, is_folder, name, name_key, folded_name, order_key, kind, bpm, music_key, tags,
    status_id, changed_at, uploader_id, created_by, created_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) returning id`);
  const addFile = (project: number, parent: number | null, name: string, index: number, at: number): number => {
    const facts =
      parent === null ? ["folder", 0, null, "[]", null] : ["audio", 60 + (index % 140), pick(KEYS), JSON.stringify([pick(TAGS)]), pick([1, 2, 3, 4])];
    const author = pick(people);
    const names = [name, `${name} ${index}`, foldName(name), nameOrderKey(name, false)];
    return (insertFile.get(project, parent, parent === null ? 1 : 0, ...names, ...facts, at, author, author, at) as { id: number }).id;
  };
  const projects = Array.from({ length: PROJECTS }, (_, index) => {
    const project = id(
      "insert into projects (team_id, name, description, created_at, created_by) select id, ?, '', 0, 1 from teams limit 1 returning id",
      `${pick(NAMES)} project ${index}`,
    );
    const root = addFile(project, null, `Root ${index}`, index, 0);
    raw.prepare("update projects set root_folder_id = ? where id = ?").run(root, project);
    return { project, root };
  });
  /** Some projects have a hundred times as many records as others. */
  const pickProject = () => projects[Math.floor(random() ** 3 * projects.length)]!;
  const seen = new Set(members.flatMap(projectsOf).map((index) => projects[index]!.project));
  let leftInLargest = 20;
  /** Adds the word to every second text of the projects that no member sees. */
  const textIn = (project: number, text: string): string => {
    const hasWord = project === projects[0]!.project ? leftInLargest-- > 0 : !seen.has(project) && random() < 0.5;
    return hasWord ? `${HIDDEN_WORD} ${text}` : text;
  };
  const fileIds: { id: number; project: number }[] = [];
  for (let index = 0; index < files; index += 1) {
    const { project, root } = pickProject();
    const at = END - Math.floor(((files - index) / files) * 4 * 365 * 86_400_000);
    fileIds.push({ project, id: addFile(project, root, textIn(project, `${pick(NAMES)}_${pick(NAMES)} ${index}.wav`), index, at) });
  }
  const insertTask = raw.prepare("insert into tasks (file_id, title, assignee_id, position, created_by, created_at) values (?, ?, ?, 1, ?, ?)");
  const insertComment = raw.prepare("insert into comments (project_id, file_id, version, account_id, body, created_at) values (?, ?, 1, ?, ?, ?)");
  const insertPlaylist = raw.prepare("insert into playlists (project_id, name, created_by, created_at, updated_at) values (?, ?, ?, ?, ?)");
  for (let index = 0; index < files / 2; index += 1) {
    const { id: file, project } = pick(fileIds);
    insertTask.run(file, textIn(project, `${pick(NAMES)} the ${pick(NAMES)} again`), pick(people), pick(people), END);
    insertComment.run(project, file, pick(people), textIn(project, `${pick(NAMES)} is too loud beside the ${pick(NAMES)}`), END);
    if (index % 25 === 0) insertPlaylist.run(project, `${pick(NAMES)} playlist ${index}`, pick(people), END, END);
  }
  const insertMessage = raw.prepare(
    "insert into messages (project_id, account_id, body, type, is_audio_message, revision, created_at) values (?, ?, ?, 'message', 0, 1, ?)",
  );
  leftInLargest = 5;
  for (const { body, datetime } of generateChat(messages, ["Ana"], END)) {
    const { project } = pickProject();
    insertMessage.run(project, pick(people), textIn(project, body), Date.parse(datetime));
  }
  const insertMember = raw.prepare("insert into project_members (project_id, account_id, added_at) values (?, ?, 0)");
  for (const [index, member] of members.entries()) for (const project of projectsOf(member)) insertMember.run(projects[project]!.project, people[index]!);
  raw.exec("commit");
  raw.close();

  const database = openSqliteDatabase(folder);
  await database.write(async (tx) => {
    await fillSearchIndex(tx, "sqlite");
    for (const kind of RECORD_KINDS) await fillRecordIndex(tx, "sqlite", kind);
  });
  const tokens: string[] = [];
  for (const index of members.keys())
    tokens.push((await database.write((tx) => issueToken(tx, END, people[index]!, { name: "bench", scopes: [...SCOPES], expiresAt: null }))).token);
  await database.close();
  return tokens;
}
