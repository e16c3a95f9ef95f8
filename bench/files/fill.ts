/** Files as years leave them, written past the service: their facts as processing would have found them. */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { foldName, nameOrderKey } from "../../contract/file-order.ts";

const FOLDER = 10_000;
const SMALL = 100;
const TAGS = 8;
const KEYS = ["A minor", "C major", "F# minor", "E♭ major"];
const WAVE = JSON.stringify(Array.from({ length: 200 }, (_, at) => Number(Math.abs(Math.sin(at / 7)).toFixed(3))));

/** A project of folders with 10,000 processed files each, and one with 100; answers the project, a full folder, the small one, and a file. */
export function fill(folder: string, files: number): { project: number; full: number; small: number; file: number; key: string } {
  const database = new DatabaseSync(join(folder, "talkback.db"), { timeout: 5_000 });
  const one = (statement: string, ...values: (string | number | null)[]) => (database.prepare(statement).get(...values) as { id: number }).id;
  const entry =
    database.prepare(`insert into files (project_id, parent_id, is_folder, name, name_key, folded_name, order_key, kind, size, duration, bpm, music_key,
    tags, changed_at, uploader_id, created_by, created_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, 1, ?) returning id`);
  const version =
    database.prepare(`insert into file_versions (file_id, number, blob_key, size, kind, transcoding_status, duration, short_wave, created_by, created_at)
    values (?, 1, ?, ?, 'audio', 'transcoded', 200, ?, 1, ?) returning id`);
  const current = database.prepare("update files set version_id = ? where id = ?");
  const tag = database.prepare("insert into file_tags (project_id, tag, file_id) values (?, ?, ?)");
  const key = "b".repeat(32);
  database.exec("begin");
  const project = one("insert into projects (team_id, name, description, created_at, created_by) select id, 'Large', '', 0, 1 from teams returning id");
  database.prepare("insert into blobs (key, organisation_id, size, sha256, created_at) values (?, 1, 1, '', 0)").run(key);
  const add = (parent: number | null, name: string, at: number, isFolder: boolean): number => {
    const facts = isFolder ? ["folder", 0, 0, 0, null, "[]"] : ["audio", at * 7, at % 400, 60 + (at % 140), KEYS[at % KEYS.length] ?? null, '["House"]'];
    const values = [project, parent, isFolder ? 1 : 0, name, `${name} ${at}`, foldName(name), nameOrderKey(name, isFolder), ...facts, at, at] as (
      | string
      | number
    )[];
    const { id } = entry.get(...values) as { id: number };
    return id;
  };
  const addFile = (parent: number, at: number): number => {
    const id = add(parent, `Bounce ${at} mix.wav`, at, false);
    const { id: versionId } = version.get(id, key, at, WAVE, at) as { id: number };
    current.run(versionId, id);
    // Processing names up to eight genres, moods and instruments each.
    for (let nth = 0; nth < TAGS; nth += 1) tag.run(project, at % 10 === 0 && nth === 0 ? "House" : `Tag ${(at * TAGS + nth) % 120}`, id);
    return id;
  };
  const root = add(null, "Large", 0, true);
  database.prepare("update projects set root_folder_id = ? where id = ?").run(root, project);
  const small = add(root, "Small", 1, true);
  for (let at = 0; at < SMALL; at += 1) addFile(small, at);
  let full = 0;
  let file = 0;
  for (let at = 0; at < files; at += 1) {
    if (at % FOLDER === 0) full = add(root, `Folder ${at}`, at, true);
    file = addFile(full, at);
  }
  database.exec("commit");
  database.close();
  return { project, full, small, file, key };
}
