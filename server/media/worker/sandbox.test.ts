/** Tests on the real system that the sandbox hides everything but the job's own files, as root and as an ordinary user. */
import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test, type TestContext } from "vitest";
import { analyze, type AnalyzeOptions } from "../analyze.ts";
import { createTestFolder } from "../testing/folder.ts";
import { encodeFile } from "../testing/formats.ts";
import { noise } from "../testing/signals.ts";
import { writeVideo } from "../testing/video-file.ts";
import { STEPS } from "../types.ts";
import { openMediaSandbox, type MediaSandbox } from "./sandbox.ts";

const NOBODY = 65_534;
const SECRET = "the master key";

let dataDir: string;
let tcp: Server;
let unix: Server;
let sandbox: MediaSandbox | { reason: string };
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "talkback-sandboxed-"));
  writeFileSync(join(dataDir, "master.key"), SECRET, { mode: 0o600 });
  mkdirSync(join(dataDir, "outputs"));
  writeFileSync(join(dataDir, "input"), "bytes", { mode: 0o600 });
  [tcp, unix] = [createServer((socket) => socket.destroy()), createServer((socket) => socket.destroy())];
  await new Promise<void>((resolve) => tcp.listen(0, "127.0.0.1", resolve));
  await new Promise<void>((resolve) => unix.listen(join(dataDir, "socket"), resolve));
  chmodSync(join(dataDir, "socket"), 0o777);
  sandbox = await openMediaSandbox({ dataDir });
}, 60_000);
afterAll(() => {
  tcp.close();
  unix.close();
  rmSync(dataDir, { recursive: true, force: true });
});

function requireSandbox(context: TestContext): MediaSandbox {
  if (typeof sandbox === "function") return sandbox;
  return context.skip(`this system cannot isolate processes: ${sandbox.reason}`);
}

/** Returns the process in which the sandbox runs the program, or the process itself. */
const childOf = (pid: number): number => Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim() || pid);

/** Tries everything that must fail, and returns what worked, as JSON. */
const ATTACK = `
  const fs = require("node:fs"), net = require("node:net");
  const [key, socket, port, parent] = process.argv.slice(1);
  const worked = [];
  const attempt = (name, work) => { try { work(); worked.push(name); } catch {} };
  const connect = (name, target) => new Promise((resolve) => net.connect(target).on("connect", () => resolve(worked.push(name))).on("error", resolve));
  attempt("read the input", () => fs.readFileSync("/job/input"));
  attempt("write a result", () => fs.writeFileSync("/job/outputs/result", "x"));
  attempt("read the key", () => fs.readFileSync(key));
  attempt("find the key by the parent process", () => fs.readFileSync("/proc/" + parent + "/root" + key));
  attempt("read the parent's environment", () => fs.readFileSync("/proc/" + parent + "/environ"));
  for (const signal of [0, "SIGCONT"]) attempt("signal the parent " + signal, () => process.kill(Number(parent), signal));
  attempt("change the input", () => fs.writeFileSync("/job/input", "x"));
  attempt("change the program", () => fs.appendFileSync(process.execPath, "x"));
  attempt("change the code", () => fs.appendFileSync(process.env.CHILD, "x"));
  attempt("read passwords", () => fs.readFileSync("/etc/shadow"));
  attempt("mount", () => require("node:child_process").execFileSync("mount", ["-t", "tmpfs", "tmpfs", "/tmp"], { stdio: "ignore" }));
  attempt("a new namespace", () => require("node:child_process").execFileSync("unshare", ["--user", "--map-root-user", "true"], { stdio: "ignore" }));
  Promise.all([connect("connect by TCP", { port: Number(port), host: "127.0.0.1" }), connect("connect by a path", socket)]).then(() => console.log(JSON.stringify(worked)));
`;

function attack(isolate: MediaSandbox, user: { uid?: number; gid?: number }): { worked: string[]; stderr: string } {
  const { port } = tcp.address() as AddressInfo;
  const nodeArgs = ["-e", ATTACK, join(dataDir, "master.key"), join(dataDir, "socket"), String(port), String(process.pid)];
  const { program, args } = isolate({ input: join(dataDir, "input"), outputs: join(dataDir, "outputs"), request: { steps: [] } }, nodeArgs);
  const env = { MASTER_KEY: SECRET, CHILD: new URL("child.ts", import.meta.url).pathname };
  const { stdout, stderr } = spawnSync(program, args, { encoding: "utf8", env, timeout: 30_000, ...user });
  return { worked: stdout === "" ? [] : (JSON.parse(stdout) as string[]), stderr };
}

describe("the sandbox", { timeout: 60_000 }, () => {
  test("of this user reaches neither the key nor a socket, only its input and its results", (context) => {
    expect(attack(requireSandbox(context), {})).toEqual({ worked: ["read the input", "write a result"], stderr: "" });
    expect(readFileSync(join(dataDir, "input"), "utf8")).toBe("bytes");
  });
  test("of an ordinary user does the same", (context) => {
    const isolate = requireSandbox(context);
    if (process.getuid?.() !== 0) return context.skip("needs root, to become another user");
    for (const path of [dataDir, ...["master.key", "outputs", "outputs/result", "input", "socket"].map((name) => join(dataDir, name))])
      chownSync(path, NOBODY, NOBODY);
    const result = attack(isolate, { uid: NOBODY, gid: NOBODY });
    if (/Operation not permitted|No space left|Permission denied/.test(result.stderr))
      return context.skip(`ordinary users cannot isolate processes here: ${result.stderr}`);
    expect(result).toEqual({ worked: ["read the input", "write a result"], stderr: "" });
  });
  test("works without a cache of compiled modules where the program's folder is read-only", async (context) => {
    requireSandbox(context);
    const withoutCache = await openMediaSandbox({ dataDir, compileCache: join(dataDir, "master.key", "cache") });
    if (typeof withoutCache !== "function") return expect.unreachable(withoutCache.reason);
    using folder = createTestFolder();
    encodeFile(folder.resolve("audio"), "flac16", [noise(0.3, 1, 44_100)], 44_100);
    const results = await analyze({ input: folder.resolve("audio"), outputs: folder.resolve(""), request: { steps: ["probe"] }, sandbox: withoutCache });
    expect(results.probe?.kind).toBe("audio");
  });
  test("is not used if its own check can see the data", async (context) => {
    requireSandbox(context);
    expect(await openMediaSandbox({ dataDir, readablePaths: [dataDir] })).toEqual({ reason: expect.stringMatching(/is visible$/) });
  });
  test("does not change the results of audio, video and images, nor the failures", async (context) => {
    const isolate = requireSandbox(context);
    using folder = createTestFolder();
    encodeFile(folder.resolve("audio"), "flac16", [noise(0.3, 20, 44_100), noise(0.2, 20, 44_100)], 44_100, { title: "A song" });
    await writeVideo(folder.resolve("video"), { format: "matroska", codec: "mpeg4", width: 64, height: 48, seconds: 2, sound: "opus" });
    await sharp({ create: { width: 700, height: 500, channels: 3, background: "#336699" } })
      .png()
      .toFile(folder.resolve("image"));
    for (const name of ["audio", "video", "image"]) {
      const run = (options: Pick<AnalyzeOptions, "sandbox">, outputs: string) => {
        mkdirSync(folder.resolve(outputs), { recursive: true });
        return analyze({ input: folder.resolve(name), outputs: folder.resolve(outputs), request: { steps: STEPS }, ...options });
      };
      const [isolated, plain] = [await run({ sandbox: isolate }, "isolated"), await run({}, "plain")];
      // Two runs of the encoder may differ by a few bytes.
      const copy = plain.copy ? { copy: { ...plain.copy, bytes: expect.any(Number) } } : {};
      expect(isolated, name).toEqual({ ...plain, ...copy });
      expect(Object.keys(isolated).length, name).toBeGreaterThan(1);
    }
    const failing = { input: folder.resolve("audio"), outputs: folder.resolve("isolated"), request: { steps: STEPS }, sandbox: isolate };
    await expect(analyze({ ...failing, onStart: (pid) => void setTimeout(() => process.kill(pid, "SIGSEGV"), 300) })).rejects.toMatchObject({
      code: "crashed",
    });
    await expect(analyze({ ...failing, limits: { wallTimeoutMs: 300 } })).rejects.toMatchObject({ code: "too-long" });
    const program = { pid: 0 };
    const killed = analyze({ ...failing, onStart: (pid) => void setTimeout(() => process.kill((program.pid = childOf(pid)), "SIGKILL"), 300) });
    await expect(killed).rejects.toMatchObject({ code: expect.stringMatching(/^(killed|crashed)$/), retry: true });
    const aborting = new AbortController();
    const aborted = analyze({
      ...failing,
      signal: aborting.signal,
      onStart: (pid) => void setTimeout(() => ((program.pid = childOf(pid)), aborting.abort()), 300),
    });
    await expect(aborted).rejects.toMatchObject({ code: "aborted" });
    expect(() => process.kill(program.pid, 0)).toThrow("ESRCH");
    await expect(analyze({ ...failing, limits: { rssBytes: 40 * 1024 * 1024 } })).rejects.toMatchObject({ code: "out-of-memory" });
  });
});
