/** Configures the unit and API tests; Playwright runs the browser tests. */
import { readdirSync, readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";

/** Tests that inspect the memory, the open files or the environment of their own process. */
const PROCESS_WIDE_TESTS = [
  "server/cli/import-killed.test.ts",
  "server/db/database.test.ts",
  "server/http/live/subscription.test.ts",
  "server/modules/files/{archive-downloads,downloads}.test.ts",
  "server/media/worker/supervise.test.ts",
];
/** Tests that replace modules with `vi.mock`, which would also replace them for later files in the same process. */
const MODULE_MOCK_TESTS = readdirSync("src", { recursive: true, encoding: "utf8" })
  .map((name) => `src/${name.replaceAll("\\", "/")}`)
  .filter((path) => /\.test\.tsx?$/.test(path) && /\bvi\.(mock|doMock)\(/.test(readFileSync(path, "utf8")));
/** The service's modules hold no lasting state, so its test files may run one after another in one process. */
const SERVICE_TESTS = "{contract,server,bin,bench,tools,docs}/**/*.test.ts";

export default defineConfig({
  test: {
    environment: "node",
    pool: "forks",
    // One more than a machine with two cores has, because many tests wait for child processes.
    maxWorkers: 3,
    // Hashing a password is slow on purpose, and a machine with two cores may be busy.
    testTimeout: 20_000,
    hookTimeout: 60_000,
    allowOnly: false,
    globalSetup: "server/testing/templates-setup.ts",
    projects: [
      { extends: true, test: { name: "service", include: [SERVICE_TESTS], exclude: PROCESS_WIDE_TESTS, isolate: false } },
      { extends: true, test: { name: "alone", include: [...PROCESS_WIDE_TESTS, ...MODULE_MOCK_TESTS] } },
      // Starting a process for each of these files would take longer than the tests themselves.
      { extends: true, test: { name: "client", include: ["src/**/*.test.{ts,tsx}"], exclude: MODULE_MOCK_TESTS, isolate: false } },
    ],
  },
});
