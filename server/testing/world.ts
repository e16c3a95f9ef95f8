/** A service over a fresh database, as tests need it: every answer is checked against the contract. */
import { randomBytes } from "node:crypto";
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { buildApp, type App } from "../app.ts";
import { readConfig, type Config } from "../config.ts";
import type { Database, Engine, OpenOptions } from "../db/database.ts";
import { migrate } from "../db/migrate.ts";
import type { FileFetcher } from "../delivery/fetch-file.ts";
import type { StartDemo } from "../domain/demo/service.ts";
import type { LiveTiming } from "../http/live/live.ts";
import type { Analyze } from "../media-room.ts";
import type { MediaLimits } from "../media/analyse.ts";
import { createClient, type Caller, type Client } from "./client.ts";
import { createManualClock, type ManualClock } from "./clock.ts";
import { createTestDatabase, type TestDatabase } from "./engines.ts";
import type { Template } from "./templates.ts";

export const PUBLIC_URL = "http://talkback.test:3000";
/** What a browser sends with requests that our own page makes. */
export const SAME_ORIGIN_HEADERS = { "sec-fetch-site": "same-origin", origin: PUBLIC_URL };

export interface TestApp extends Client {
  engine: Engine;
  clock: ManualClock;
  database: Database;
  /** Where the data lies, for a second process. */
  testDatabase: TestDatabase;
  app: App;
  config: Config;
  masterKey: Buffer;
  /** Demos that were to be made; nobody makes them. */
  requestedDemos: Parameters<StartDemo>[0][];
  close(): Promise<void>;
}

export interface TestAppOptions extends OpenOptions {
  environment?: Record<string, string>;
  /** Opens the database in another way than directly. */
  connect?: (location: string, options: OpenOptions) => Promise<Database>;
  liveTiming?: LiveTiming;
  fetcher?: FileFetcher;
  /** How long a test event waits for what comes back; without an engine nothing does. */
  testWaitMs?: number;
  mediaLimits?: Partial<MediaLimits>;
  analyze?: Analyze;
  /** The world starts as a copy of this one. */
  template?: Template;
}

const UPLOADS = "uploads";
const filesFolder = (config: Config): string => join(config.dataDir, "files");

/** Ends a world and leaves what it holds in `folder`, or in its database on PostgreSQL, for others to start from. */
export async function saveAsTemplate({ app, database, testDatabase, config, masterKey, engine }: TestApp, folder: string): Promise<Template> {
  await app.server.close();
  await database.close();
  const files = join(folder, "files");
  cpSync(filesFolder(config), files, { recursive: true });
  // Whoever starts from here makes its own, and is seen to have done so.
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
  { environment = {}, liveTiming, fetcher, testWaitMs = 0, mediaLimits, analyze, connect, template, ...openOptions }: TestAppOptions = {},
): Promise<TestApp> {
  const testDatabase = await createTestDatabase(engine, template?.database);
  const database = connect ? await connect(testDatabase.location, openOptions) : testDatabase.open(openOptions);
  const clock = createManualClock();
  if (!template) await migrate(database, clock);
  const folder = mkdtempSync(join(tmpdir(), "talkback-files-"));
  const config = readConfig({ PUBLIC_URL, LOG_LEVEL: process.env["TEST_LOG"] ?? "silent", RATE_LIMIT: "0", DATA_DIR: folder, ...environment });
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
    ...(fetcher ? { fetcher } : {}),
    ...(mediaLimits ? { mediaLimits } : {}),
    ...(analyze ? { analyze } : {}),
  });
  // The store of uploads makes its folder beside everything else, and would end the process if the world's were gone by then.
  while (!existsSync(join(filesFolder(config), UPLOADS))) await sleep(2);
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

/** The session cookie of an answer, as a browser would send it back from our page. */
export function browserCaller(name: string, reply: { headers: Record<string, unknown> }): Caller {
  const [cookie = ""] = [reply.headers["set-cookie"]].flat() as string[];
  return { name, headers: { cookie: cookie.split(";")[0] ?? "", ...SAME_ORIGIN_HEADERS } };
}

export const bearerCaller = (name: string, token: string): Caller => ({ name, headers: { authorization: `Bearer ${token}` } });
