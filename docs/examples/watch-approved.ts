/**
 * Waits until a file has the status "Approved", and downloads it then.
 *
 *   TALKBACK_TOKEN=tb_pat_… node docs/examples/watch-approved.ts https://talkback.example 34 approved.wav
 *
 * It may wait for days: it survives lost connections and restarts of the service. The token needs the scopes account:read and files:read.
 * Exit codes: 0 downloaded, 1 failed, 2 wrong arguments.
 */
import { parseArgs } from "node:util";
import { createTalkback, type Talkback } from "../../src/api/talkback.ts";

const HELP = `Usage: TALKBACK_TOKEN=… node docs/examples/watch-approved.ts ADDRESS FILE_ID TARGET_PATH [--status TITLE]

Waits until a file has the status "Approved", or another one, and downloads its current version.`;

/** Resolves once the file has the status. */
async function waitForStatus(talkback: Talkback, fileId: number, title: string): Promise<void> {
  const { common } = await talkback.getFileInfo({ file_id: fileId });
  // An event only says that something happened in the project, so the file itself is asked for its status.
  for await (const item of talkback.events([`project:${common.project_id}`])) {
    if (item.kind === "event" && item.event.data["id"] !== fileId) continue;
    // "subscribed" comes first, and after every lost connection: what happened before is in the file, what happens from now on is an event.
    const { status } = (await talkback.getFileInfo({ file_id: fileId })).common;
    console.log(`Status: ${status?.title ?? "none"}`);
    if (status?.title === title) return;
  }
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { help: { type: "boolean" }, status: { type: "string", default: "Approved" } },
  });
  if (values.help) return console.log(HELP);
  const [baseUrl = "", , path = ""] = positionals;
  const [fileId, token] = [Number(positionals[1]), process.env["TALKBACK_TOKEN"] ?? ""];
  if (positionals.length !== 3 || !Number.isInteger(fileId) || token === "") {
    console.error(HELP);
    process.exitCode = 2;
    return;
  }
  const talkback = createTalkback({ baseUrl, token });
  await waitForStatus(talkback, fileId, values.status);
  const { common } = await talkback.getFileInfo({ file_id: fileId });
  const byteCount = await talkback.download(common.url, path);
  console.log(`Downloaded ${common.name}: ${byteCount} bytes to ${path}`);
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
