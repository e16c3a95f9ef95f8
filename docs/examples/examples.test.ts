/** Runs each example as its reader would: as a process, against a running service. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { ROOT } from "../../bin/lib/paths.mjs";
import { startStubService } from "../../server/testing/cuttable-service.ts";
import { waitUntil } from "../../server/testing/live.ts";
import { createOwner, startService, type ServiceProcess } from "../../server/testing/service-process.ts";
import { createTalkback, type Talkback } from "../../src/api/talkback.ts";

const dataDir = mkdtempSync(join(tmpdir(), "talkback-examples-"));
const local = join(dataDir, "local");
/** Halves the time that an example takes to start. */
const NODE_COMPILE_CACHE = join(ROOT, "node_modules", ".cache", "compiled");
let service: ServiceProcess;
let token: string;
let talkback: Talkback;
let project: { id: number; root_folder_id: number | null };
const running = new Set<ChildProcess>();

beforeAll(async () => {
  token = (await createOwner(dataDir)).headers["authorization"]?.replace("Bearer ", "") ?? "";
  service = await startService(dataDir);
  talkback = createTalkback({ baseUrl: service.base, token });
  project = (await talkback.createProject({ name: "Examples", team_id: (await talkback.listTeams()).data[0]?.id ?? 0 })).data;
  mkdirSync(local);
});
afterAll(async () => {
  for (const child of running) child.kill("SIGKILL");
  await service.kill();
  rmSync(dataDir, { recursive: true, force: true });
});

interface Run {
  child: ChildProcess;
  readonly output: string;
  /** Resolves with the exit code once the process has ended. */
  ended: Promise<number | null>;
}

function run(example: string, args: readonly (string | number)[], environment: Record<string, string> = { TALKBACK_TOKEN: token }): Run {
  const child = spawn(process.execPath, [join(import.meta.dirname, example), ...args.map(String)], {
    env: { PATH: process.env["PATH"], NODE_COMPILE_CACHE, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => void (output += chunk.toString()));
  const ended = once(child, "close").then(([code]) => (running.delete(child), code as number | null));
  return {
    child,
    get output() {
      return output;
    },
    ended,
  };
}

async function runToEnd(...args: Parameters<typeof run>): Promise<{ code: number | null; output: string }> {
  const process = run(...args);
  return { code: await process.ended, output: process.output };
}

it.each(["read-chat.ts", "watch-approved.ts", "upload-folder.ts"])("%s explains itself, and rejects wrong arguments, addresses and tokens", async (example) => {
  const complete = [service.base, project.id, join(local, "target")].slice(0, example === "read-chat.ts" ? 2 : 3);
  const unreadable = { TALKBACK_TOKEN: "tb_pat_wrong" };
  const runs = [
    runToEnd(example, ["--help"]),
    runToEnd(example, [service.base]),
    runToEnd(example, complete, {}),
    runToEnd(example, ["nowhere", ...complete.slice(1)]),
    runToEnd(example, complete, unreadable),
  ];
  const results = await Promise.all(runs);
  expect(results.map(({ code }) => code)).toEqual([0, 2, 2, 1, 1]);
  expect(results[0]?.output).toMatch(/^Usage: /);
  expect(results[1]?.output).toMatch(/^Usage: /);
  expect(results[3]?.output).toContain('"nowhere" is no address');
  expect(results[4]?.output).toMatch(/token is invalid/);
  expect(results.map(({ output }) => output).join("")).not.toContain("    at ");
});

describe("read-chat.ts", () => {
  it("prints the whole chat with names and files, and with --after what is new", async () => {
    const count = 205;
    await talkback.sendMessage({ project_id: project.id, body: "the first" });
    await Promise.all(Array.from({ length: count - 1 }, (_, index) => talkback.sendMessage({ project_id: project.id, body: `message ${index}` })));
    const path = join(local, "sketch.txt");
    writeFileSync(path, "sketch");
    const { file_id } = await talkback.upload(path, { project_id: project.id });
    rmSync(path);
    const last = (await talkback.sendMessage({ project_id: project.id, body: "with a file", attachment_ids: [file_id] })).data;
    const { code, output } = await runToEnd("read-chat.ts", [service.base, project.id]);
    const lines = output.trimEnd().split("\n");
    expect([code, lines.length]).toEqual([0, count + 1]);
    expect(lines[0]).toMatch(/^2\d{3}-.*Z {2}owner: the first$/);
    expect(lines.at(-1)).toMatch(/owner: with a file \[sketch\.txt\]$/);
    expect((await runToEnd("read-chat.ts", [service.base, project.id, "--after", last.id - 1])).output).toMatch(
      /^\S+ {2}owner: with a file \[sketch\.txt\]\n$/,
    );
  });
});

it("read-chat.ts prints numbers for authors at a service that offers only the documented operations", async () => {
  const message = { id: 5, chat_id: 7, account_id: 11, body: "hi", datetime: "2026-01-01T00:00:00Z", edited: false, is_audio_message: false, type: "message" };
  const { baseUrl, close } = await startStubService((request, response) => {
    const isChat = request.url === "/base/v1/account/projects/chat_history";
    const data = [{ ...message, parent_message_id: null, parent_chat_id: null, parent_account_id: null, attachments: [] }];
    response.writeHead(isChat ? 200 : 404, { "content-type": "application/json" }).end(isChat ? JSON.stringify({ object: "list", data }) : "");
  });
  onTestFinished(close);
  expect(await runToEnd("read-chat.ts", [baseUrl, 7])).toEqual({ code: 0, output: expect.stringMatching(/^2026-01-01T00:00:00\S*Z {2}account 11: hi\n$/) });
});

describe("watch-approved.ts", () => {
  it("waits through a killed service, and downloads the file once it is approved", async () => {
    const path = join(local, "mix.txt");
    writeFileSync(path, "the mix");
    const { file_id } = await talkback.upload(path, { parent_id: project.root_folder_id ?? 0 });
    rmSync(path);
    const statuses = (await talkback.listFileStatuses({ team_id: 1 })).data;
    const setStatus = async (title: string) => talkback.setFileStatus({ file_id, status_id: statuses.find((status) => status.title === title)?.id ?? 0 });
    const target = join(dataDir, "approved.txt");
    const watching = run("watch-approved.ts", [service.base, file_id, target]);
    await waitUntil(
      () => watching.output.includes("Status: none"),
      "the first status",
      () => watching.output,
    );
    await setStatus("In review");
    await waitUntil(
      () => watching.output.includes("Status: In review"),
      "the second status",
      () => watching.output,
    );
    expect(existsSync(target)).toBe(false);
    await service.kill();
    service = await startService(dataDir, {}, Number(new URL(service.base).port));
    await setStatus("Approved");
    expect(await watching.ended).toBe(0);
    expect(watching.output).toContain("Downloaded mix.txt: 7 bytes");
    expect(readFileSync(target, "utf8")).toBe("the mix");
  });
});

describe("upload-folder.ts", () => {
  it("uploads subfolders, skips what is there, and continues an upload that was killed", async () => {
    const folder = join(local, "album");
    const root = (await talkback.createFolder({ name: "Album", parent_id: project.root_folder_id ?? 0 })).data.id;
    mkdirSync(join(folder, "Stems", "Drums ✓"), { recursive: true });
    writeFileSync(join(folder, "cover.txt"), "cover");
    writeFileSync(join(folder, ".hidden"), "hidden");
    writeFileSync(join(folder, "Stems", "Drums ✓", "kick.txt"), "kick");
    writeFileSync(join(folder, "Stems", "empty.txt"), "");
    const upload = async () => {
      const { code, output } = await runToEnd("upload-folder.ts", [service.base, root, folder]);
      return [code, ...output.trimEnd().split("\n").toSorted()];
    };
    const paths = ["Stems/Drums ✓/kick.txt", "Stems/empty.txt", "cover.txt"];
    expect(await upload()).toEqual([0, ...paths.map((path) => `uploaded  ${path}`)]);
    expect(await upload()).toEqual([0, ...paths.map((path) => `skipped   ${path}`)]);

    const large = join(folder, "large.bin");
    const state = join(folder, ".talkback-upload.json");
    rmSync(state);
    expect(await upload(), "without its state").toEqual([0, ...paths.map((path) => `skipped   ${path}`)]);
    writeFileSync(state, '{"broken');
    writeFileSync(large, "");
    truncateSync(large, 200_000_000);
    const killed = run("upload-folder.ts", [service.base, root, folder]);
    await waitUntil(
      () => existsSync(state) && readFileSync(state, "utf8").includes("large.bin"),
      "the upload to begin",
      () => killed.output,
    );
    killed.child.kill("SIGKILL");
    await killed.ended;
    expect(await upload()).toEqual([0, ...paths.map((path) => `skipped   ${path}`), "uploaded  large.bin (continued)"]);
    const names: [string, number][] = [];
    for await (const { name, size } of talkback.each("listFolder", { file_id: root })) names.push([name, size]);
    expect(names).toEqual([
      ["Stems", expect.any(Number)],
      ["cover.txt", 5],
      ["large.bin", 200_000_000],
    ]);
  });

  it("makes a changed file a new version, once, also if the service stored it under another name", async () => {
    const folder = join(local, "single");
    const root = (await talkback.createFolder({ name: "Single", parent_id: project.root_folder_id ?? 0 })).data.id;
    mkdirSync(folder);
    const upload = async () => (await runToEnd("upload-folder.ts", [service.base, root, folder])).output.trimEnd().split("\n").toSorted();
    // The service cannot hold both names in one folder.
    for (const name of ["mix.txt", "MIX.txt"]) writeFileSync(join(folder, name), name);
    expect(await upload()).toEqual(["uploaded  MIX.txt", "uploaded  mix.txt"]);
    expect(await upload()).toEqual(["skipped   MIX.txt", "skipped   mix.txt"]);
    writeFileSync(join(folder, "mix.txt"), "a longer mix");
    expect(await upload()).toEqual(["skipped   MIX.txt", "updated   mix.txt"]);
    expect(await upload()).toEqual(["skipped   MIX.txt", "skipped   mix.txt"]);
    const versions: [string, number, number][] = [];
    for await (const { id, name, size } of talkback.each("listFolder", { file_id: root }))
      versions.push([name.toLowerCase(), size, (await talkback.listVersions({ file_id: id })).data.length]);
    expect(versions.map(([, ...rest]) => rest).toSorted(([a], [b]) => a - b)).toEqual([
      [7, 1],
      [12, 2],
    ]);
  });
});
