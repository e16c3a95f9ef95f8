/** Runs the tests that kill, load or attack the service, with more rounds than `npm test`: `npm run faults`. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: [
      "server/delivery/killed.test.ts",
      "server/modules/conversation/killed.test.ts",
      "server/modules/agent-subscriptions/killed.test.ts",
      "server/modules/agent-tasks/killed.test.ts",
      "server/modules/agent-tasks/models/killed.test.ts",
      "server/modules/notification-delivery/killed.test.ts",
      "server/modules/files/s3-killed.test.ts",
      "server/cli/import-killed.test.ts",
      "server/http/live/subscription.test.ts",
      "bench/abuse/attacks.faults.ts",
      "bench/cluster/cluster.faults.ts",
      "server/container-image.test.ts",
    ],
    environment: "node",
    pool: "forks",
    maxWorkers: 1,
    env: { TALKBACK_FAULT_ROUNDS: "20" },
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
