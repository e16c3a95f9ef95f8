/** The long media tests: an hour of sound, the labeled songs. Apart from the quick ones, one after the other. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { include: ["server/media/**/*.long.ts"], testTimeout: 30 * 60_000, hookTimeout: 10 * 60_000, fileParallelism: false },
});
