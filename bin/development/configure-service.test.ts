import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "vite";
import { expect, onTestFinished, test } from "vitest";
import { configureService } from "./configure-service.ts";

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "talkback-build-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Builds an empty client into a folder, and returns the folder of the result. */
async function buildWith(address: string | undefined, folder = createFolder()): Promise<string> {
  await build({
    configFile: false,
    root: folder,
    logLevel: "silent",
    plugins: [
      configureService(address),
      { name: "entry", resolveId: (id) => (id === "empty" ? "\0empty" : null), load: (id) => (id === "\0empty" ? "export {}" : null) },
    ],
    build: { outDir: join(folder, "dist"), rolldownOptions: { input: "empty" } },
  });
  return join(folder, "dist");
}

test.each([
  ["https://service.example", "https://service.example"],
  [" https://Service.example:8443/base// ", "https://service.example:8443/base"],
  ["http://[::1]:3000/", "http://[::1]:3000"],
])("a build for %j writes %s to config.json", async (address, serviceUrl) => {
  const folder = await buildWith(address);
  expect(JSON.parse(readFileSync(join(folder, "config.json"), "utf8"))).toEqual({ service_url: serviceUrl });
});

test.each([undefined, ""])("a build for %j writes no config.json, so the one in public stays", async (address) => {
  expect(readdirSync(await buildWith(address))).not.toContain("config.json");
});

test.each(["service.example", "ftp://service.example", "javascript:alert(1)", "https://service.example/?a=b", "https://service.example/#a"])(
  "a build for %j fails before anything is built, with a sentence that names the variable",
  async (address) => {
    const folder = createFolder();
    await expect(buildWith(address, folder)).rejects.toThrow(/VITE_SERVICE_URL must be an http\(s\) address/);
    await expect(buildWith(address, folder)).rejects.toThrow(`It is "${address}".`);
    expect(existsSync(join(folder, "dist"))).toBe(false);
  },
);

test("a password is not in the error", async () => {
  await expect(buildWith("https://me:secret@service.example")).rejects.toThrow('It is "https://…@service.example".');
});
