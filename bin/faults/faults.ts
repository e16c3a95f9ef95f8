/** The fault tests of `npm run faults` by name, with the rows that each of them adds to the table. */
export interface FaultGroup {
  name: string;
  title: string;
  /** Files of unit and API tests. */
  tests: readonly string[];
  /** Files of browser tests. */
  browserTests?: readonly string[];
  /** How often things break, if twenty times would take too long. */
  rounds?: number;
  /** How many files run at a time: one, unless they break nothing that others notice. */
  workers?: number;
  /** Rows that must be in the table in the end; none: its tests count nothing, and only pass or fail. */
  rows: readonly string[];
  /** Whether its tests are skipped without PostgreSQL. */
  needsPostgres?: boolean;
}

export const FAULTS: readonly FaultGroup[] = [
  {
    name: "chat",
    title: "kill -9 of the service while people write",
    tests: ["server/modules/conversation/killed.test.ts"],
    rows: ["killed: messages", "killed: comments"],
  },
  {
    name: "uploads",
    title: "kill -9 of the service while files are uploaded",
    tests: ["server/modules/files/uploads-under-kills.test.ts", "server/modules/files/uploads-killed.test.ts"],
    rows: ["killed: PUT uploads", "killed: tus uploads", "killed: processing"],
  },
  { name: "webhooks", title: "kill -9 of the service while webhooks are sent", tests: ["server/delivery/killed.test.ts"], rows: ["killed: webhooks"] },
  {
    name: "client",
    title: "the network, tabs and the service break under a browser",
    tests: [],
    browserTests: ["e2e/specs/chat/breaks.faults.ts", "e2e/specs/chat/outbox.spec.ts", "e2e/specs/files/upload-resume.spec.ts"],
    rows: ["browser: messages"],
  },
  {
    name: "receivers",
    title: "receivers of webhooks misbehave beside a good one",
    tests: ["server/delivery/misbehaving-receivers.test.ts", "server/delivery/send.test.ts"],
    rows: ["receivers: beside the others"],
  },
  {
    name: "hostile",
    title: "2,000 hostile requests per operation",
    tests: ["server/http/fuzz-reads.test.ts", "server/http/fuzz-writes.test.ts", "server/http/hostile.test.ts"],
    workers: 2,
    rows: ["hostile requests"],
  },
  { name: "media", title: "truncated, corrupt and disguised media", tests: ["server/modules/files/processing-hostile.test.ts"], rows: ["media"] },
  {
    name: "upgrades",
    title: "databases of earlier and newer versions, and starts that are killed",
    tests: ["server/db/upgrade.test.ts", "server/db/upgrade-killed.test.ts", "server/db/newer-database.test.ts"],
    rows: ["upgrade: earlier version", "upgrade: failing migration", "upgrade: killed start", "upgrade: newer database"],
  },
  {
    name: "others",
    title: "kill -9 during imports, notifications and runs of agents; slow live connections",
    tests: [
      "server/cli/import-killed.test.ts",
      "server/modules/notification-delivery/killed.test.ts",
      "server/modules/agent-subscriptions/killed.test.ts",
      "server/modules/agent-tasks/killed.test.ts",
      "server/modules/agent-tasks/models/killed.test.ts",
      "server/http/live/subscription.test.ts",
    ],
    rows: ["killed: imports", "killed: notifications", "killed: events of agents", "killed: runs of agents", "killed: summaries"],
  },
  { name: "demos", title: "kill -9 while a demo is removed", tests: ["server/modules/demo/killed.test.ts"], rounds: 4, rows: ["killed: removal of demos"] },
  {
    name: "storage",
    title: "kill -9 of the service while files go to an S3-compatible store",
    tests: ["server/modules/files/s3-killed.test.ts"],
    rows: ["killed: uploads to S3"],
  },
  {
    name: "backups",
    title: "backups while people write, and restores that are killed",
    tests: ["server/cli/backup/under-load.test.ts"],
    rows: ["killed: backups and restores"],
  },
  {
    name: "cluster",
    title: "kill -9 of each process of a cluster under load",
    tests: ["bench/cluster/cluster.faults.ts"],
    needsPostgres: true,
    rows: [
      "cluster: faults",
      "cluster: messages",
      "cluster: live events",
      "cluster: uploads",
      "cluster: processing",
      "cluster: webhook events",
      "cluster: presence",
    ],
  },
  { name: "container-image", title: "the steps of the Dockerfile, and the image's end by a signal", tests: ["server/container-image.test.ts"], rows: [] },
  { name: "abuse", title: "attacks while others use the service", tests: ["bench/abuse/attacks.faults.ts"], rows: ["attacks: others"] },
];
