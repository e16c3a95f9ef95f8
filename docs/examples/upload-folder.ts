/**
 * Uploads a folder with its subfolders. A second run sends only what is new: a changed file becomes a new version of the uploaded one.
 *
 *   TALKBACK_TOKEN=tb_pat_… node docs/examples/upload-folder.ts https://talkback.example 5 ./stems
 *
 * The token needs the scopes files:read and files:write. Exit codes: 0 done, 1 failed (run it again to continue), 2 wrong arguments.
 */
import { readdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { parseArgs } from "node:util";
import { createTalkback, type Talkback } from "../../src/api/talkback.ts";

const HELP = `Usage: TALKBACK_TOKEN=… node docs/examples/upload-folder.ts ADDRESS FOLDER_ID LOCAL_FOLDER

Uploads the files of a local folder and its subfolders into a folder of a project. Hidden files are left out.`;
/** Remembers which local file is which uploaded one, also under another name, and where an unfinished upload continues. */
const STATE_FILE = ".talkback-upload.json";
type State = Record<string, { size: number; changedAt: number; fileId?: number; resumeFrom?: string }>;
type RemoteFile = { id: number; size: number; path: string };

async function listRemote(talkback: Talkback, folderId: number, parentPath = ""): Promise<RemoteFile[]> {
  const files: RemoteFile[] = [];
  for await (const { id, name, size, is_folder } of talkback.each("listFolder", { file_id: folderId })) {
    if (is_folder) files.push(...(await listRemote(talkback, id, `${parentPath}${name}/`)));
    else files.push({ id, size, path: parentPath + name });
  }
  return files;
}

async function uploadFolder(talkback: Talkback, folderId: number, folder: string, target: string): Promise<void> {
  const statePath = join(folder, STATE_FILE);
  const state = (await readFile(statePath, "utf8")
    .then(JSON.parse)
    .catch(() => ({}))) as State;
  const remember = async (key: string, entry: State[string]) => {
    state[key] = entry;
    // A process that is killed in the middle leaves the earlier state.
    await writeFile(`${statePath}.new`, JSON.stringify(state));
    await rename(`${statePath}.new`, statePath);
  };
  const remote = await listRemote(talkback, folderId);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const localPath = join(entry.parentPath, entry.name);
    const path = relative(folder, localPath).split(sep).join("/");
    if (!entry.isFile() || /(^|\/)\./.test(path)) continue;
    const { size, mtimeMs: changedAt } = await stat(localPath);
    const key = `${target}/${path}`;
    const earlier = state[key];
    const isUnchanged = earlier?.size === size && earlier.changedAt === changedAt;
    const existing = remote.find(({ id }) => id === earlier?.fileId) ?? remote.find((file) => file.path === path);
    if (existing?.size === size && (!earlier || (isUnchanged && !earlier.resumeFrom))) {
      console.log(`skipped   ${path}`);
      continue;
    }
    const resumeFrom = isUnchanged ? earlier.resumeFrom : undefined;
    const onStart = (url: string) => remember(key, { size, changedAt, fileId: existing?.id, resumeFrom: url });
    const destination = existing ? { version_of: existing.id } : { parent_id: folderId, path: path.split("/").slice(0, -1).join("/") };
    const { file_id } = await talkback.upload(localPath, destination, { resumeFrom, onStart });
    await remember(key, { size, changedAt, fileId: file_id });
    console.log(`${existing ? "updated " : "uploaded"}  ${path}${resumeFrom ? " (continued)" : ""}`);
  }
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { help: { type: "boolean" } } });
  if (values.help) return console.log(HELP);
  const [baseUrl = "", folderId, folder = ""] = [positionals[0], Number(positionals[1]), positionals[2]];
  const token = process.env["TALKBACK_TOKEN"] ?? "";
  if (positionals.length !== 3 || !Number.isInteger(folderId) || token === "") {
    console.error(HELP);
    process.exitCode = 2;
    return;
  }
  await uploadFolder(createTalkback({ baseUrl, token }), folderId, folder, `${baseUrl}/${folderId}`);
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
