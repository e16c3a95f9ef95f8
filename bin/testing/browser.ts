/** Finds a browser for the browser tests, or brings one. A browser counts only when it has really started. */
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { runQuietly } from "../lib/child.mjs";
import { Failure, lastWords } from "../lib/failure.mjs";

/** What the tests start it with; as root there is no sandbox, and in containers often none at all. */
const ARGUMENTS = ["--no-sandbox", "--disable-gpu"];
const STARTS_WITHIN_MS = 60_000;
const DOWNLOAD_MS = 6 * 60_000;
/** The headless shell first: a whole Chromium draws its own windows too, which costs eight times the processor. */
const NAMES = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome"];

/** Places of an installed Chromium or Chrome, most likely first. */
export function installedPlaces(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): string[] {
  if (platform === "darwin") return ["/Applications/Google Chrome.app/Contents/MacOS/Google Chrome", "/Applications/Chromium.app/Contents/MacOS/Chromium"];
  if (platform === "win32") {
    const folders = [env["PROGRAMFILES"], env["PROGRAMFILES(X86)"], env["LOCALAPPDATA"]].filter((folder) => folder !== undefined);
    return folders.map((folder) => join(folder, "Google", "Chrome", "Application", "chrome.exe"));
  }
  const folders = [...(env["PATH"] ?? "").split(delimiter), "/usr/bin"].filter(Boolean);
  return [...new Set(NAMES.flatMap((name) => folders.map((folder) => join(folder, name))))];
}

/** Path of a browser that starts; empty for Playwright's own. */
export async function bringBrowser(root: string): Promise<string> {
  const wish = process.env["TALKBACK_CHROMIUM"];
  if (wish) {
    const fault = await faultOf(wish);
    if (fault) throw new Failure(`TALKBACK_CHROMIUM names ${wish}, which does not start.`, "Correct it, or leave it unset.", lastWords(fault, 5));
    return wish;
  }
  const tried: string[] = [];
  const attempt = async (place: string, what: string) => {
    const fault = await faultOf(place);
    if (fault) tried.push(`${what}: ${firstLine(fault)}`);
    return !fault;
  };
  const installed = () => installedPlaces(process.platform, process.env).filter((path) => existsSync(path));
  for (const path of installed()) if (await attempt(path, path)) return path;
  if (await attempt("", "Playwright's own")) return "";

  console.log("No browser found: bringing one (only now, about 150 MB) …");
  const download = await runQuietly(process.execPath, [join(root, "node_modules", "playwright", "cli.js"), "install", "chromium"], { timeoutMs: DOWNLOAD_MS });
  if (download.code === 0 && (await attempt("", "Playwright's own, just downloaded"))) return "";
  if (download.code !== 0) tried.push(`playwright install chromium: ${firstLine(download.output)}`);

  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    for (const name of ["chromium-headless-shell", "chromium"]) {
      const apt = await installByApt([name]);
      if (apt) tried.push(`apt-get install ${name}: ${firstLine(apt)}`);
      for (const path of installed()) if (await attempt(path, path)) return path;
    }
  }
  throw new Failure(
    "No browser could be found or brought, so the browser tests cannot run.",
    "Install Chromium or Chrome, then run npm test again.",
    tried.join("\n"),
  );
}

/** Installs Debian packages as root. Returns what went wrong, or null. */
async function installByApt(packages: readonly string[]): Promise<string | null> {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const update = await runQuietly("apt-get", ["update", "-q"], { env, timeoutMs: DOWNLOAD_MS });
  const install = await runQuietly("apt-get", ["install", "-q", "-y", "--no-install-recommends", ...packages], { env, timeoutMs: DOWNLOAD_MS });
  return install.code === 0 ? null : `${update.code === 0 ? "" : update.output}${install.output}`;
}

/** What keeps this browser from starting, or null. */
async function faultOf(executablePath: string): Promise<string | null> {
  const { chromium } = await import("@playwright/test");
  try {
    const browser = await chromium.launch({ ...(executablePath ? { executablePath } : {}), args: ARGUMENTS, timeout: STARTS_WITHIN_MS });
    await browser.close();
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

const firstLine = (text: string): string =>
  text
    .split("\n")
    .find((line) => line.trim() !== "")
    ?.trim() ?? "";
