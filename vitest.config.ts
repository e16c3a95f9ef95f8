/** Unit and API tests; browser tests are Playwright's. */
import { readdirSync, readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";

/** They look at the memory, the open files or the environment of their own process. */
const ALONE = [
  "server/cli/import-killed.test.ts",
  "server/db/database.test.ts",
  "server/http/live/subscription.test.ts",
  "server/modules/files/{archive-downloads,downloads}.test.ts",
  "server/media/worker/supervise.test.ts",
];
/** Tests that put other modules in the place of some (`vi.mock`), which would stand in for all the files that follow in the same process. */
const REPLACING = readdirSync("src", { recursive: true, encoding: "utf8" })
  .map((name) => `src/${name.replaceAll("\\", "/")}`)
  .filter((path) => /\.test\.tsx?$/.test(path) && /\bvi\.(mock|doMock)\(/.test(readFileSync(path, "utf8")));
/** Nothing that lasts stands in the service's modules, so its files of tests may follow one another in one process. */
const SERVICE = "{contract,server,bin,bench,tools}/**/*.test.ts";

export default defineConfig({
  test: {
    environment: "node",
    pool: "forks",
    // Many wait for processes of their own: one more than there are cores.
    maxWorkers: 3,
    // Hashing a password is slow on purpose, and a machine with two cores may be busy.
    testTimeout: 20_000,
    hookTimeout: 60_000,
    allowOnly: false,
    globalSetup: "server/testing/templates-setup.ts",
    projects: [
      { extends: true, test: { name: "service", include: [SERVICE], exclude: ALONE, isolate: false } },
      { extends: true, test: { name: "alone", include: [...ALONE, ...REPLACING] } },
      // A process for each of these files would take longer than what they test.
      { extends: true, test: { name: "client", include: ["src/**/*.test.{ts,tsx}"], exclude: REPLACING, isolate: false } },
    ],
  },
});
