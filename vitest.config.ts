/** Unit and API tests; browser tests are Playwright's. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{contract,src,server,bin,bench}/**/*.test.{ts,tsx}"],
    environment: "node",
    pool: "forks",
    // Many wait for processes of their own: one more than there are cores.
    maxWorkers: 3,
    // Hashing a password is slow on purpose, and a machine with two cores may be busy.
    testTimeout: 20_000,
    hookTimeout: 60_000,
    allowOnly: false,
  },
});
