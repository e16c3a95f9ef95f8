import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { CommandError } from "./command.ts";
import { installModel, type InstallModelOptions } from "./install-model.ts";

let dataDir: string;
let lines: string[];
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "talkback-install-"));
  lines = [];
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const install = (options: Partial<InstallModelOptions>) =>
  installModel({
    dataDir,
    progress: (line) => lines.push(line),
    findInstalledVersion: () => null,
    installPackage: async () => {},
    downloadModel: async () => {},
    ...options,
  });

const downloadModel = async (folder: string) => {
  mkdirSync(join(folder, "Xenova", "clap-htsat-unfused", "onnx"), { recursive: true });
  writeFileSync(join(folder, "Xenova", "clap-htsat-unfused", "onnx", "model.onnx"), "weights");
};
const modelFolder = () => join(dataDir, "models", "clap-htsat-unfused");

test("installs the model below the data folder and prints the setting that uses it; a second run downloads nothing", async () => {
  expect(await install({ downloadModel })).toEqual([
    `Installed the model in ${modelFolder()}.`,
    `Start Talkback with TAGGING_MODEL=${modelFolder()}`,
    expect.stringContaining("Re-analyze"),
  ]);
  expect(readFileSync(join(modelFolder(), "onnx", "model.onnx"), "utf8")).toBe("weights");
  const again = await install({ downloadModel: () => Promise.reject(new Error("must not download")) });
  expect(again).toEqual([`The model is already in ${modelFolder()}.`, `Start Talkback with TAGGING_MODEL=${modelFolder()}`]);
  expect(readdirSync(join(dataDir, "models"))).toEqual(["clap-htsat-unfused"]);
});

test("without a network it says so and keeps no part of the model", async () => {
  const noNetwork = new TypeError("fetch failed", { cause: new Error("getaddrinfo ENOTFOUND huggingface.co") });
  const attempt = install({
    async downloadModel(folder) {
      await downloadModel(folder);
      throw noNetwork;
    },
  });
  await expect(attempt).rejects.toThrow(CommandError);
  await expect(attempt).rejects.toThrow(
    /^The model could not be downloaded: getaddrinfo ENOTFOUND huggingface\.co\nThe package is installed, no part of the model was kept\./,
  );
  expect(readdirSync(join(dataDir, "models"))).toEqual([]);
});

test("a package that cannot be installed changes nothing", async () => {
  const failed = Object.assign(new Error("Command failed: npm install"), { stderr: "npm error code ENOTFOUND\nnpm error network\n" });
  const attempt = install({ installPackage: () => Promise.reject(failed), downloadModel });
  await expect(attempt).rejects.toThrow(/could not be installed: npm error code ENOTFOUND\nNothing was changed/);
  expect(existsSync(join(dataDir, "models"))).toBe(false);
  expect(lines).toEqual(["Installing @huggingface/transformers 4.3.1 …"]);
});

test("other users can read the package and the model, although the command makes its own files private", async () => {
  const umask = process.umask(0o077);
  try {
    const installed = join(dataDir, "package");
    await install({ installPackage: async () => void execFileSync(process.execPath, ["-e", `fs.mkdirSync(${JSON.stringify(installed)})`]), downloadModel });
    for (const path of [installed, join(dataDir, "models"), modelFolder(), join(modelFolder(), "onnx", "model.onnx")])
      expect(statSync(path).mode & 0o044, path).toBe(0o044);
    expect(process.umask()).toBe(0o077);
  } finally {
    process.umask(umask);
  }
});
