import { expect, test } from "vitest";
import { findBrowser, candidateBrowserPaths, type BrowserSource } from "./browser.ts";
import { isPackagedFor } from "./packaged-browser.ts";

test("searches the PATH for Chromium before Chrome", () => {
  const paths = candidateBrowserPaths("linux", { PATH: "/opt/bin:/usr/bin" });
  expect(paths.slice(0, 2)).toEqual(["/opt/bin/chromium-headless-shell", "/usr/bin/chromium-headless-shell"]);
  expect(paths.indexOf("/usr/bin/chromium")).toBeLessThan(paths.indexOf("/opt/bin/google-chrome"));
  expect(new Set(paths).size).toBe(paths.length);
});

test("searches only /Applications on macOS", () => {
  expect(candidateBrowserPaths("darwin", {}).every((path) => path.startsWith("/Applications/"))).toBe(true);
});

test("the npm package provides a browser only for Linux on x64", () => {
  expect(isPackagedFor("linux", "x64")).toBe(true);
  expect(isPackagedFor("linux", "arm64")).toBe(false);
  expect(isPackagedFor("darwin", "arm64")).toBe(false);
});

const failingSource = (name: string, reason: string): BrowserSource => ({ name, provide: () => Promise.reject(new Error(reason)) });

test("uses the first browser that starts and prints one line with the reason for each source that failed before it", async () => {
  const lines: string[] = [];
  const sources = [
    failingSource("this machine", "none is installed\nand more"),
    { name: "npm", provide: async () => "/cache/chromium" },
    failingSource("apt-get", "never asked"),
  ];
  expect(await findBrowser(sources, (line) => lines.push(line))).toEqual({ path: "/cache/chromium", source: "npm" });
  expect(lines).toEqual(["     no browser from this machine: none is installed"]);
});

test("reports the cause of a failed launch, not its command line", async () => {
  const lines: string[] = [];
  const launch = "browserType.launch: Target closed\n<launching> /usr/bin/chromium --headless\n  chromium: error while loading shared libraries: libnss3.so";
  await expect(findBrowser([failingSource("npm", launch)], (line) => lines.push(line))).rejects.toThrow("No browser could be found or installed");
  expect(lines.join()).toContain("libnss3.so");
});
