import { expect, test } from "vitest";
import { findBrowser, installedPaths, type BrowserSource } from "./browser.ts";
import { isPackagedFor } from "./packaged-browser.ts";

test("looks for Chromium before Chrome, along the PATH", () => {
  const paths = installedPaths("linux", { PATH: "/opt/bin:/usr/bin" });
  expect(paths.slice(0, 2)).toEqual(["/opt/bin/chromium-headless-shell", "/usr/bin/chromium-headless-shell"]);
  expect(paths.indexOf("/usr/bin/chromium")).toBeLessThan(paths.indexOf("/opt/bin/google-chrome"));
  expect(new Set(paths).size).toBe(paths.length);
});

test("knows where macOS keeps programs", () => {
  expect(installedPaths("darwin", {}).every((path) => path.startsWith("/Applications/"))).toBe(true);
});

test("the package has a browser for Linux on x64 alone", () => {
  expect(isPackagedFor("linux", "x64")).toBe(true);
  expect(isPackagedFor("linux", "arm64")).toBe(false);
  expect(isPackagedFor("darwin", "arm64")).toBe(false);
});

const failingSource = (name: string, reason: string): BrowserSource => ({ name, provide: () => Promise.reject(new Error(reason)) });

test("the first browser that starts is taken, and each source before it is named with its reason in one line", async () => {
  const lines: string[] = [];
  const sources = [
    failingSource("this machine", "none is installed\nand more"),
    { name: "npm", provide: async () => "/cache/chromium" },
    failingSource("apt-get", "never asked"),
  ];
  expect(await findBrowser(sources, (line) => lines.push(line))).toEqual({ path: "/cache/chromium", source: "npm" });
  expect(lines).toEqual(["     no browser from this machine: none is installed"]);
});

test("the reason of a failed start is its cause, not the command that was run", async () => {
  const lines: string[] = [];
  const launch = "browserType.launch: Target closed\n<launching> /usr/bin/chromium --headless\n  chromium: error while loading shared libraries: libnss3.so";
  await expect(findBrowser([failingSource("npm", launch)], (line) => lines.push(line))).rejects.toThrow("No browser could be found or installed");
  expect(lines.join()).toContain("libnss3.so");
});
