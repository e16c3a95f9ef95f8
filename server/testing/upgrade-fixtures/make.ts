/**
 * Makes the upgrade fixture of a version with that version's own code: `npm run upgrade-fixture` for this one, `npm run upgrade-fixture -- <commit>` for another.
 * The version runs as it is, in a folder of its own, and is filled through its own API.
 */
import { type ChildProcessByStdio, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { findFreePort } from "../../../bin/testing/service-start.ts";
import { FIXTURE_KEY, readFolder, writeFixture } from "./archive.ts";
import { fill } from "./fill.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

const run = (command: string, args: string[], options: object = {}): string => execFileSync(command, args, { encoding: "utf8", cwd: ROOT, ...options }).trim();

/** Writes the commit's code into a folder; what it imports comes from this checkout, or from `node_modules` beside the folder. */
function checkOut(commit: string): string {
  const folder = mkdtempSync(join(process.env["TALKBACK_VERSIONS"] ?? tmpdir(), `version-${commit.slice(0, 8)}-`));
  const archive = execFileSync("git", ["archive", commit], { cwd: ROOT, maxBuffer: 1e9 });
  execFileSync("tar", ["-x", "-C", folder], { input: archive });
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  return folder;
}

/** Returns the token of the link that the service prints at its first start. */
async function readSetupToken({ stdout }: ChildProcessByStdio<null, Readable, null>): Promise<string> {
  let text = "";
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  stdout.on("data", (chunk) => {
    text += String(chunk);
    const [, token] = /\/setup#(\S+)/.exec(text) ?? [];
    if (token) resolve(token);
  });
  stdout.on("end", () => reject(new Error(`The service did not start: ${text}`)));
  return promise;
}

async function makeFixture(commit: string): Promise<void> {
  const folder = checkOut(commit);
  const dataDir = join(folder, "data-of-fixture");
  mkdirSync(dataDir, { mode: 0o700 });
  const port = await findFreePort();
  const base = `http://127.0.0.1:${port}`;
  const settings = { MASTER_KEY: FIXTURE_KEY, RATE_LIMIT: "0", WEBHOOK_ALLOW_HTTP: "on", WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8", LOG_LEVEL: "error" };
  const env = { PATH: process.env["PATH"] ?? "", DATA_DIR: dataDir, PORT: String(port), PUBLIC_URL: base, ...settings };
  const receiver = createServer((request, response) => response.writeHead(request.url === "/failing" ? 500 : 200).end()).listen(0, "127.0.0.1");
  await once(receiver, "listening");
  try {
    const service = spawn(process.execPath, ["server/main.ts"], { cwd: folder, env, stdio: ["ignore", "pipe", "inherit"] });
    const exited = once(service, "exit");
    try {
      const setupToken = await readSetupToken(service);
      const { absent, ...filled } = await fill(base, setupToken, `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`);
      service.kill("SIGTERM");
      await exited;
      const database = new DatabaseSync(join(dataDir, "talkback.db"));
      const migrations = database.prepare("select name from migrations order by name").all() as { name: string }[];
      database.exec("pragma wal_checkpoint(truncate); vacuum;");
      database.close();
      const size = writeFixture({
        commit: run("git", ["rev-parse", "--short=8", commit]),
        migrations: migrations.map(({ name }) => name),
        ...filled,
        files: readFolder(dataDir),
      });
      console.log(
        `${migrations.at(-1)?.name}: ${filled.requests.length} operations, ${Math.round(size / 1_000)} kB; it does not have: ${absent.join(", ") || "nothing"}`,
      );
    } finally {
      service.kill("SIGKILL");
      await exited;
    }
  } finally {
    receiver.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const [commit = "HEAD"] = process.argv.slice(2);
await makeFixture(commit);
