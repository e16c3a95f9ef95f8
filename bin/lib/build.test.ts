import { expect, test } from "vitest";
import { buildStamp } from "./build.mjs";
import { ROOT } from "./paths.mjs";

test("a build is repeated for another service, and for none", () => {
  const none = buildStamp(ROOT, {});
  const one = buildStamp(ROOT, { VITE_SERVICE_URL: "https://one.example" });
  expect(new Set([none, one, buildStamp(ROOT, { VITE_SERVICE_URL: "https://two.example" })]).size).toBe(3);
  expect(buildStamp(ROOT, { VITE_SERVICE_URL: "", PATH: "/bin" })).toBe(none);
});
