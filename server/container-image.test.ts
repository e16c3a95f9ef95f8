/** Runs the steps of the Dockerfile in folders, then what it starts, as another user: `npm run faults`, since it installs all packages twice. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findFreePort } from "../bin/testing/service-start.ts";
import { buildImage, type Image } from "./testing/dockerfile-steps.ts";
import { getFaultRounds } from "./testing/service-process.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const UNPRIVILEGED_ID = 65_534;

describe.skipIf(getFaultRounds(0) === 0)("the container image", { timeout: 600_000 }, () => {
  const started: ChildProcess[] = [];
  const folder = mkdtempSync(join(tmpdir(), "talkback-image-"));
  chmodSync(folder, 0o755);
  afterAll(() => {
    for (const one of started) one.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }, 300_000);

  let image: Image;
  let child: ChildProcess;
  let output = "";
  const environment = (port: number) => ({ ...image.environment, PATH: path, HOST: "127.0.0.1", PORT: String(port), DATA_DIR: join(image.root, "data") });
  // The base image has the Node that npm installs here.
  const programs = join(folder, "programs");
  mkdirSync(programs);
  cpSync(process.execPath, join(programs, "node"));
  const path = `${programs}:${process.env["PATH"]}`;
  const user = process.getuid?.() === 0 ? { uid: UNPRIVILEGED_ID, gid: UNPRIVILEGED_ID } : {};

  beforeAll(() => {
    image = buildImage(ROOT, folder, path);
  }, 600_000);

  test("is built from the repository's files by the steps of the Dockerfile", () => {
    expect(existsSync(join(image.root, "app", "dist", "index.html"))).toBe(true);
    expect(existsSync(join(image.root, "app", "server", "testing"))).toBe(false);
    expect(existsSync(join(image.root, "app", "node_modules", "vite"))).toBe(false);
    const kilobytes = Number(execFileSync("du", ["-sk", join(image.root, "app")], { encoding: "utf8" }).split("\t")[0]);
    console.log(`The image adds ${Math.round(kilobytes / 1024)} MB to its base.`);
    expect(kilobytes).toBeLessThan(900 * 1024);
  });

  test("starts as a user that may write only the data, is healthy, and serves the page", async () => {
    const port = await findFreePort();
    if ("uid" in user) chownSync(join(image.root, "data"), UNPRIVILEGED_ID, UNPRIVILEGED_ID);
    const [program = "", ...args] = image.command;
    expect(image.user).toBe("node");
    child = spawn(program, args, { cwd: join(image.root, image.workdir), env: environment(port), stdio: ["ignore", "pipe", "pipe"], ...user });
    started.push(child);
    for (const stream of [child.stdout!, child.stderr!]) stream.on("data", (chunk: Buffer) => void (output += chunk.toString()));
    const isReady = () =>
      fetch(`http://127.0.0.1:${port}/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
    while (child.exitCode === null && !(await isReady())) await sleep(100);
    expect(child.exitCode, output).toBeNull();
    const [, checkProgram = "", ...checkArgs] = ["", ...image.healthcheck];
    expect(() => execFileSync(checkProgram, checkArgs, { env: environment(port), ...user })).not.toThrow();
    const page = await fetch(`http://127.0.0.1:${port}/`);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<div id="root"')]);
  });

  test("logs JSON only, and ends by itself when it is told to", async () => {
    while (child.exitCode === null && !output.includes('"setup_url"')) await sleep(50);
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
    for (const line of output.trim().split("\n")) expect(() => JSON.parse(line) as unknown, line).not.toThrow();
  });
});
