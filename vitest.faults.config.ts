/** Runs the tests that break things on purpose in their long form, one after another: `npm run faults`. */
import { defineConfig } from "vitest/config";
import { FAULTS } from "./bin/faults/faults.ts";

export default defineConfig({
  test: {
    include: FAULTS.flatMap(({ tests }) => tests),
    environment: "node",
    pool: "forks",
    maxWorkers: 1,
    globalSetup: "server/testing/templates-setup.ts",
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
