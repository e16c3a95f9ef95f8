/** Runs the long media tests (an hour of audio, labeled songs), which `npm test` leaves out, one file after another: `npm run test:media`. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { include: ["server/media/**/*.long.ts"], testTimeout: 30 * 60_000, hookTimeout: 10 * 60_000, fileParallelism: false },
});
