/** Unit and API tests; browser tests are Playwright's. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{contract,src,server,bin,bench}/**/*.test.{ts,tsx}"],
    environment: "node",
    pool: "forks",
    maxWorkers: 2,
    // Hashing a password is slow on purpose, and a machine with two cores may be busy.
    testTimeout: 20_000,
    hookTimeout: 60_000,
    allowOnly: false,
  },
});
