import { expect, test } from "vitest";
import { installedPlaces } from "./browser.ts";

test("looks for Chromium before Chrome, along the PATH", () => {
  const places = installedPlaces("linux", { PATH: "/opt/bin:/usr/bin" });
  expect(places.slice(0, 2)).toEqual(["/opt/bin/chromium-headless-shell", "/usr/bin/chromium-headless-shell"]);
  expect(places.indexOf("/usr/bin/chromium")).toBeLessThan(places.indexOf("/opt/bin/google-chrome"));
  expect(new Set(places).size).toBe(places.length);
});

test("knows where macOS keeps programs", () => {
  expect(installedPlaces("darwin", {}).every((path) => path.startsWith("/Applications/"))).toBe(true);
});
