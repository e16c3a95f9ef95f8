/**
 * Uploads a folder with its subfolders. What is there already, by name and size, is skipped, so a second run only sends what is new.
 *
 *   TALKBACK_TOKEN=tb_pat_… node docs/examples/upload-folder.ts https://talkback.example 5 ./stems
 *
 * The token needs the scopes files:read and files:write. Exit codes: 0 done, 1 failed (run it again to continue), 2 wrong arguments.
 */
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join, relative, resolve, sep } from "node:path";
import { parseArgs } from "node:util";
import { createTalkback, type Talkback } from "../../src/api/talkback.ts";

const HELP = `Usage: TALKBACK_TOKEN=… node docs/examples/upload-folder.ts ADDRESS FOLDER_ID LOCAL_FOLDER

Uploads the files of a local folder and its subfolders into a folder of a project, and skips those that are there already.`;
/** Holds the upload under way, so that the next run continues in the middle of a large file. Hidden files are not uploaded. */
const STATE_FILE = ".talkback-upload.json";

/** Returns the sizes of the files in a folder of the service and its subfolders, by path. */
async function listRemote(talkback: Talkback, folderId: number, path = ""): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  for await (const { id, name, size, is_folder } of talkback.each("listFolder", { file_id: folderId })) {
    if (!is_folder) sizes.set(path + name, size);
    else for (const [below, belowSize] of await listRemote(talkback, id, `${path}${name}/`)) sizes.set(below, belowSize);
  }
  return sizes;
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { help: { type: "boolean" } } });
  if (values.help) return console.log(HELP);
  const [baseUrl = "", , folder = ""] = positionals;
  const [folderId, token] = [Number(positionals[1]), process.env["TALKBACK_TOKEN"] ?? ""];
  if (positionals.length !== 3 || !Number.isInteger(folderId) || token === "") {
    console.error(HELP);
    process.exitCode = 2;
    return;
  }
  const talkback = createTalkback({ baseUrl, token });
  const statePath = join(resolve(folder), STATE_FILE);
  const state = JSON.parse(await readFile(statePath, "utf8").catch(() => "{}")) as { upload?: string; resumeFrom?: string };
  const remote = await listRemote(talkback, folderId);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const localPath = join(entry.parentPath, entry.name);
    const path = relative(folder, localPath).split(sep).join("/");
    if (!entry.isFile() || /(^|\/)\./.test(path)) continue;
    const { size, mtimeMs } = await stat(localPath);
    if (remote.get(path) === size) console.log(`skipped   ${path}`);
    else {
      // Only the same bytes to the same place may continue.
      const upload = JSON.stringify([baseUrl, folderId, path, size, mtimeMs]);
      const onStart = (resumeFrom: string) => writeFile(statePath, JSON.stringify({ upload, resumeFrom }));
      const resumeFrom = state.upload === upload ? state.resumeFrom : null;
      await talkback.upload(localPath, { parent_id: folderId, path: path.split("/").slice(0, -1).join("/") }, { resumeFrom, onStart });
      console.log(`uploaded  ${path}${resumeFrom ? " (continued)" : ""}`);
    }
  }
  await rm(statePath, { force: true });
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
