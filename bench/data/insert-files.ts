/** Inserts the files of a data set with the metadata that processing would have found, and tasks, comments and playlists. */
import type { DatabaseSync } from "node:sqlite";
import { fileNameKey, foldName, nameOrderKey } from "../../contract/file-order.ts";
import { createRandom } from "./generated-chat.ts";

export const FILES_PER_FOLDER = 10_000;
export const SMALL_FOLDER_FILES = 100;
const TAGS_PER_FILE = 8;
const KEYS = ["A minor", "C major", "F# minor", "E♭ major", "G minor"];
const WAVE = JSON.stringify(Array.from({ length: 200 }, (_, index) => Number(Math.abs(Math.sin(index / 7)).toFixed(3))));
const YEARS_MS = 4 * 365 * 86_400_000;
/** The bytes of every file, which exist only where a benchmark needs them. */
export const BLOB_KEY = "b".repeat(32);

export interface FileInserter {
  /** Creates the root folder of a project. */
  addRoot(project: number, name: string): number;
  addFolder(project: number, parent: number, name: string): number;
  addFile(project: number, parent: number, name: string, index: number): number;
}

/** `people`: uploaders. `end`: the time of the newest file; `count`: of all files that will be inserted. */
export function createFileInserter(database: DatabaseSync, { people, end, count }: { people: readonly number[]; end: number; count: number }): FileInserter {
  const nextId = (table: string) => (database.prepare(`select coalesce(max(id), 0) + 1 as id from ${table}`).get() as { id: number }).id;
  const statuses = database.prepare("select id, position from file_statuses where deleted_at is null").all() as { id: number; position: number }[];
  const entry = database.prepare(`insert into files (id, project_id, parent_id, is_folder, name, name_key, folded_name, order_key, kind, size, duration, bpm,
    music_key, tags, status_id, status_rank, version_id, changed_at, uploader_id, created_by, created_at)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const version =
    database.prepare(`insert into file_versions (id, file_id, number, blob_key, size, kind, transcoding_status, duration, short_wave, created_by, created_at)
    values (?, ?, 1, ?, ?, 'audio', 'transcoded', 200, ?, ?, ?)`);
  const insertTag = database.prepare("insert into file_tags (project_id, tag, file_id) values (?, ?, ?)");
  let [fileId, versionId, inserted] = [nextId("files"), nextId("file_versions"), 0];
  database.prepare("insert into blobs (key, organisation_id, size, sha256, created_at) values (?, 1, 1, '', 0)").run(BLOB_KEY);
  database.prepare("insert into stored_bytes (organisation_id, bytes) values (1, 1) on conflict do update set bytes = bytes + 1").run();

  const namesOf = (name: string, isFolder: boolean) => [name, fileNameKey(name), foldName(name), nameOrderKey(name, isFolder)] as const;
  function addFolder(project: number, parent: number | null, name: string): number {
    const id = fileId++;
    entry.run(id, project, parent, 1, ...namesOf(name, true), "folder", 0, 0, 0, null, "[]", null, -1, null, end, people[0]!, people[0]!, end);
    return id;
  }
  return {
    addRoot(project, name) {
      const root = addFolder(project, null, name);
      database.prepare("update projects set root_folder_id = ? where id = ?").run(root, project);
      return root;
    },
    addFolder,
    addFile(project, parent, name, index) {
      const [id, at] = [fileId++, end - Math.floor(((count - inserted++) / count) * YEARS_MS)];
      // Processing assigns up to eight genres, moods and instruments each.
      const tags = Array.from({ length: TAGS_PER_FILE }, (_, nth) => (index % 10 === 0 && nth === 0 ? "House" : `Tag ${(index * TAGS_PER_FILE + nth) % 120}`));
      const uploader = people[index % people.length]!;
      const status = statuses[index % (statuses.length + 1)];
      const facts = ["audio", index * 7, index % 400, 60 + (index % 140), KEYS[index % KEYS.length]!, JSON.stringify(tags)] as const;
      entry.run(id, project, parent, 0, ...namesOf(name, false), ...facts, status?.id ?? null, status?.position ?? -1, versionId, at, uploader, uploader, at);
      version.run(versionId++, id, BLOB_KEY, index, WAVE, uploader, at);
      for (const tag of tags) insertTag.run(project, tag, id);
      return id;
    },
  };
}

export interface Library {
  root: number;
  fullFolder: number;
  smallFolder: number;
  /** A file of the full folder. */
  file: number;
}

/** Fills a project with folders of 10,000 files each and one folder of 100. */
export function insertLibrary({ addRoot, addFolder, addFile }: FileInserter, project: number, files: number): Library {
  const root = addRoot(project, "Library");
  const smallFolder = addFolder(project, root, "Small");
  for (let index = 0; index < SMALL_FOLDER_FILES; index += 1) addFile(project, smallFolder, `Bounce ${index} mix.wav`, index);
  let [fullFolder, file] = [0, 0];
  for (let index = 0; index < files; index += 1) {
    if (index % FILES_PER_FOLDER === 0) fullFolder = addFolder(project, root, `Folder ${index}`);
    file = addFile(project, fullFolder, `Bounce ${index} mix.wav`, index);
  }
  return { root, fullFolder, smallFolder, file };
}

const NAMES = ["kick", "snare", "vocal", "bass", "pad", "lead", "mix", "master", "stem", "loop", "take", "bounce"];

/** Adds files to projects, and for every second file a task and a comment. `textIn` changes the texts of a project. */
export function insertOtherFiles(
  database: DatabaseSync,
  inserter: FileInserter,
  options: { projects: readonly number[]; people: readonly number[]; count: number; end: number; textIn: (project: number, text: string) => string },
): void {
  const { projects, people, count, end, textIn } = options;
  const random = createRandom(7);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const task = database.prepare("insert into tasks (file_id, title, assignee_id, position, created_by, created_at) values (?, ?, ?, 1, ?, ?)");
  const comment = database.prepare("insert into comments (project_id, file_id, version, account_id, body, created_at) values (?, ?, 1, ?, ?, ?)");
  const playlist = database.prepare("insert into playlists (project_id, name, created_by, created_at, updated_at) values (?, ?, ?, ?, ?)");
  const roots = new Map<number, number>();
  for (let index = 0; index < count; index += 1) {
    // Some projects have a hundred times as many files as others.
    const project = projects[Math.floor(random() ** 3 * projects.length)]!;
    const root = roots.get(project) ?? inserter.addRoot(project, `Root ${project}`);
    roots.set(project, root);
    const file = inserter.addFile(project, root, textIn(project, `${pick(NAMES)}_${pick(NAMES)} ${index}.wav`), index);
    if (index % 2 === 0) {
      task.run(file, textIn(project, `${pick(NAMES)} the ${pick(NAMES)} again`), pick(people), pick(people), end);
      comment.run(project, file, pick(people), textIn(project, `${pick(NAMES)} is too loud beside the ${pick(NAMES)}`), end);
    }
    if (index % 50 === 0) playlist.run(project, `${pick(NAMES)} playlist ${index}`, pick(people), end, end);
  }
  for (const project of projects) if (!roots.has(project)) inserter.addRoot(project, `Root ${project}`);
}
