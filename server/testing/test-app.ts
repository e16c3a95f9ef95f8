/** Test app: the service on a fresh database, with every response validated against the API schema. */
import { randomBytes } from "node:crypto";
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { buildApp, type App, type AppOptions } from "../app.ts";
import { readConfig, type Config } from "../config.ts";
import type { Database, Engine, OpenOptions } from "../db/database.ts";
import { migrate } from "../db/migrate.ts";
import type { FileFetcher } from "../delivery/fetch-file.ts";
import type { LiveTiming } from "../http/live/live.ts";
import type { ServerLimits } from "../http/server.ts";
import type { MediaLimits } from "../media/analyze.ts";
import type { StartDemo } from "../modules/demo/demos.ts";
import type { Analyze } from "../modules/files/analyze-upload.ts";
import { createClient, type Caller, type Client } from "./client.ts";
import { createTestDatabase, type TestDatabase } from "./engines.ts";
import { createManualClock, type ManualClock } from "./manual-clock.ts";
import type { Template } from "./templates.ts";

export const PUBLIC_URL = "http://talkback.test:3000";
/** Headers that a browser sends with requests from our own page. */
export const SAME_ORIGIN_HEADERS = { "sec-fetch-site": "same-origin", origin: PUBLIC_URL };

export interface TestApp extends Client {
  engine: Engine;
  clock: ManualClock;
  database: Database;
  /** The location of the data, for a second process. */
  testDatabase: TestDatabase;
  app: App;
  config: Config;
  masterKey: Buffer;
  /** Demos whose start was requested; nothing builds them. */
  requestedDemos: Parameters<StartDemo>[0][];
  close(): Promise<void>;
}

export interface TestAppOptions extends OpenOptions {
  environment?: Record<string, string>;
  /** Replaces the default way of opening the database. */
  connect?: (location: string, options: OpenOptions) => Promise<Database>;
  liveTiming?: Partial<LiveTiming>;
  serverLimits?: Partial<ServerLimits>;
  /** Receives each line of the log from the level `warn` on. */
  onLog?: (line: string) => void;
  fetcher?: FileFetcher;
  /** How long the webhook test operation waits for the response; without an engine none ever arrives. */
  testWaitMs?: number;
  mediaLimits?: Partial<MediaLimits>;
  analyze?: Analyze;
  /** Replaces the look at the free disk space. */
  readDiskSpace?: AppOptions["readDiskSpace"];
  /** The test app starts as a copy of this template. */
  template?: Template;
  /** The database to use instead of a copy of the template's; the test app drops it in the end. */
  migratedDatabase?: TestDatabase;
}

const UPLOADS = "uploads";
const filesFolder = (config: Config): string => join(config.dataDir, "files");

/** Closes a test app and saves its data in `folder`, or in its database on PostgreSQL, as a template for others. */
export async function saveAsTemplate({ app, database, testDatabase, config, masterKey, engine }: TestApp, folder: string): Promise<Template> {
  await app.server.close();
  await database.close();
  const files = join(folder, "files");
  cpSync(filesFolder(config), files, { recursive: true });
  // A test app that starts from this template must create this folder itself, because `startTestApp` waits for it.
  rmSync(join(files, UPLOADS), { recursive: true, force: true });
  rmSync(config.dataDir, { recursive: true, force: true });
  if (engine === "sqlite") {
    cpSync(testDatabase.location, folder, { recursive: true });
    await testDatabase.drop();
  }
  return { database: engine === "sqlite" ? folder : testDatabase.location, files, masterKey: masterKey.toString("hex") };
}

export async function startTestApp(
  engine: Engine,
  {
    environment = {},
    liveTiming,
    serverLimits,
    onLog,
    fetcher,
    testWaitMs = 0,
    mediaLimits,
    analyze,
    readDiskSpace,
    connect,
    template,
    migratedDatabase,
    ...openOptions
  }: TestAppOptions = {},
): Promise<TestApp> {
  const testDatabase = migratedDatabase ?? (await createTestDatabase(engine, template?.database));
  const database = connect ? await connect(testDatabase.location, openOptions) : testDatabase.open(openOptions);
  const clock = createManualClock();
  if (!template) await migrate(database, clock);
  const folder = mkdtempSync(join(tmpdir(), "talkback-files-"));
  const config = readConfig({
    PUBLIC_URL,
    LOG_LEVEL: process.env["TEST_LOG"] ?? (onLog ? "warn" : "silent"),
    RATE_LIMIT: "0",
    DATA_DIR: folder,
    DISK_RESERVE_BYTES: "0",
    // Nothing is sent unless a test starts it.
    SMTP_URL: "smtp://127.0.0.1:9",
    MAIL_FROM: "Talkback <talkback@talkback.test>",
    ...environment,
  });
  if (template) cpSync(template.files, filesFolder(config), { recursive: true });
  const masterKey = template ? Buffer.from(template.masterKey, "hex") : randomBytes(32);
  const requestedDemos: TestApp["requestedDemos"] = [];
  const app = await buildApp({
    config,
    database,
    masterKey,
    clock,
    checkResponses: true,
    clientFolder: "/nowhere",
    testWaitMs,
    startDemo: (run) => void requestedDemos.push(run),
    ...(liveTiming ? { liveTiming } : {}),
    ...(serverLimits ? { serverLimits } : {}),
    ...(onLog ? { logStream: { write: onLog } } : {}),
    ...(fetcher ? { fetcher } : {}),
    ...(mediaLimits ? { mediaLimits } : {}),
    ...(analyze ? { analyze } : {}),
    ...(readDiskSpace ? { readDiskSpace } : {}),
  });
  // The upload store creates its folder asynchronously, and would crash the process if the test app's folder were deleted first.
  while (!config.s3 && !existsSync(join(filesFolder(config), UPLOADS))) await sleep(2);
  return {
    ...createClient(app.server),
    engine,
    clock,
    database,
    testDatabase,
    app,
    config,
    masterKey,
    requestedDemos,
    async close() {
      await app.server.close();
      await database.close();
      await testDatabase.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Creates a caller from the session cookie of a reply, with the headers of a browser on our page. */
export function browserCaller(name: string, reply: { headers: Record<string, unknown> }): Caller {
  const [cookie = ""] = [reply.headers["set-cookie"]].flat() as string[];
  return { name, headers: { cookie: cookie.split(";")[0] ?? "", ...SAME_ORIGIN_HEADERS } };
}

export const bearerCaller = (name: string, token: string): Caller => ({ name, headers: { authorization: `Bearer ${token}` } });
