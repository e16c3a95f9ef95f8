/** Seeds large numbers of files directly in the database, with the metadata that processing would have found. */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { foldName, nameOrderKey } from "../../contract/file-order.ts";

const FILES_PER_FOLDER = 10_000;
const SMALL_FOLDER_FILES = 100;
const TAGS_PER_FILE = 8;
const KEYS = ["A minor", "C major", "F# minor", "E♭ major"];
const WAVE = JSON.stringify(Array.from({ length: 200 }, (_, index) => Number(Math.abs(Math.sin(index / 7)).toFixed(3))));

/**
 * Creates a project with folders of 10,000 processed files each and one folder of 100. Returns the ids of the project, a
 * full folder, the small folder and a file, and the blob key.
 */
export function seedFiles(folder: string, files: number): { project: number; fullFolder: number; smallFolder: number; file: number; blobKey: string } {
  const database = new DatabaseSync(join(folder, "talkback.db"), { timeout: 5_000 });
  const insertReturningId = (statement: string, ...values: (string | number | null)[]) => (database.prepare(statement).get(...values) as { id: number }).id;
  const insertEntry =
    database.prepare(`insert into files (project_id, parent_id, is_folder, name, name_key, folded_name, order_key, kind, size, duration, bpm, music_key,
    tags, changed_at, uploader_id, created_by, created_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, 1, ?) returning id`);
  const insertVersion =
    database.prepare(`insert into file_versions (file_id, number, blob_key, size, kind, transcoding_status, duration, short_wave, created_by, created_at)
    values (?, 1, ?, ?, 'audio', 'transcoded', 200, ?, 1, ?) returning id`);
  const setCurrentVersion = database.prepare("update files set version_id = ? where id = ?");
  const insertTag = database.prepare("insert into file_tags (project_id, tag, file_id) values (?, ?, ?)");
  const blobKey = "b".repeat(32);
  database.exec("begin");
  const project = insertReturningId(
    "insert into projects (team_id, name, description, created_at, created_by) select id, 'Large', '', 0, 1 from teams returning id",
  );
  database.prepare("insert into blobs (key, organisation_id, size, sha256, created_at) values (?, 1, 1, '', 0)").run(blobKey);
  const addEntry = (parent: number | null, name: string, index: number, isFolder: boolean): number => {
    const facts = isFolder
      ? ["folder", 0, 0, 0, null, "[]"]
      : ["audio", index * 7, index % 400, 60 + (index % 140), KEYS[index % KEYS.length] ?? null, '["House"]'];
    const values = [project, parent, isFolder ? 1 : 0, name, `${name} ${index}`, foldName(name), nameOrderKey(name, isFolder), ...facts, index, index] as (
      | string
      | number
    )[];
    const { id } = insertEntry.get(...values) as { id: number };
    return id;
  };
  const addFile = (parent: number, index: number): number => {
    const id = addEntry(parent, `Bounce ${index} mix.wav`, index, false);
    const { id: versionId } = insertVersion.get(id, blobKey, index, WAVE, index) as { id: number };
    setCurrentVersion.run(versionId, id);
    // Processing assigns up to eight genres, moods and instruments each.
    for (let nth = 0; nth < TAGS_PER_FILE; nth += 1)
      insertTag.run(project, index % 10 === 0 && nth === 0 ? "House" : `Tag ${(index * TAGS_PER_FILE + nth) % 120}`, id);
    return id;
  };
  const root = addEntry(null, "Large", 0, true);
  database.prepare("update projects set root_folder_id = ? where id = ?").run(root, project);
  const smallFolder = addEntry(root, "Small", 1, true);
  for (let index = 0; index < SMALL_FOLDER_FILES; index += 1) addFile(smallFolder, index);
  let fullFolder = 0;
  let file = 0;
  for (let index = 0; index < files; index += 1) {
    if (index % FILES_PER_FOLDER === 0) fullFolder = addEntry(root, `Folder ${index}`, index, true);
    file = addFile(fullFolder, index);
  }
  database.exec("commit");
  database.close();
  return { project, fullFolder, smallFolder, file, blobKey };
}
