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
import type { Analyse } from "../media-room.ts";
import type { MediaLimits } from "../media/analyse.ts";
import { createClient, type Caller, type Client } from "./client.ts";
import { movableClock, type MovableClock } from "./clock.ts";
import { newTestDatabase, type TestDatabase } from "./engines.ts";
import type { Template } from "./templates.ts";

export const PUBLIC_URL = "http://talkback.test:3000";
/** What a browser sends with requests that our own page makes. */
export const FROM_OUR_PAGE = { "sec-fetch-site": "same-origin", origin: PUBLIC_URL };

export interface World extends Client {
  engine: Engine;
  clock: MovableClock;
  database: Database;
  /** Where the data lies, for a second process. */
  data: TestDatabase;
  app: App;
  config: Config;
  masterKey: Buffer;
  /** Demos that were to be made; nobody makes them. */
  demos: Parameters<StartDemo>[0][];
  close(): Promise<void>;
}

export interface WorldOptions extends OpenOptions {
  environment?: Record<string, string>;
  /** Opens the database in another way than directly. */
  connect?: (location: string, options: OpenOptions) => Promise<Database>;
  liveTiming?: LiveTiming;
  fetcher?: FileFetcher;
  /** How long a test event waits for what comes back; without an engine nothing does. */
  testWaitMs?: number;
  mediaLimits?: Partial<MediaLimits>;
  analyse?: Analyse;
  /** The world starts as a copy of this one. */
  template?: Template;
}

const UPLOADS = "uploads";
const filesIn = (config: Config): string => join(config.dataDir, "files");

/** Ends a world and leaves what it holds in `folder`, or in its database on PostgreSQL, for others to start from. */
export async function templateOf({ app, database, data, config, masterKey, engine }: World, folder: string): Promise<Template> {
  await app.server.close();
  await database.close();
  const files = join(folder, "files");
  cpSync(filesIn(config), files, { recursive: true });
  // Whoever starts from here makes its own, and is seen to have done so.
  rmSync(join(files, UPLOADS), { recursive: true, force: true });
  rmSync(config.dataDir, { recursive: true, force: true });
  if (engine === "sqlite") {
    cpSync(data.location, folder, { recursive: true });
    await data.drop();
  }
  return { database: engine === "sqlite" ? folder : data.location, files, masterKey: masterKey.toString("hex") };
}

export async function startWorld(
  engine: Engine,
  { environment = {}, liveTiming, fetcher, testWaitMs = 0, mediaLimits, analyse, connect, template, ...open }: WorldOptions = {},
): Promise<World> {
  const data = await newTestDatabase(engine, template?.database);
  const database = connect ? await connect(data.location, open) : data.open(open);
  const clock = movableClock();
  if (!template) await migrate(database, clock);
  const folder = mkdtempSync(join(tmpdir(), "talkback-files-"));
  const config = readConfig({ PUBLIC_URL, LOG_LEVEL: process.env["TEST_LOG"] ?? "silent", RATE_LIMIT: "0", DATA_DIR: folder, ...environment });
  if (template) cpSync(template.files, filesIn(config), { recursive: true });
  const masterKey = template ? Buffer.from(template.masterKey, "hex") : randomBytes(32);
  const demos: World["demos"] = [];
  const app = await buildApp({
    config,
    database,
    masterKey,
    clock,
    checkAnswers: true,
    clientFolder: "/nowhere",
    testWaitMs,
    startDemo: (run) => void demos.push(run),
    ...(liveTiming ? { liveTiming } : {}),
    ...(fetcher ? { fetcher } : {}),
    ...(mediaLimits ? { mediaLimits } : {}),
    ...(analyse ? { analyse } : {}),
  });
  // The store of uploads makes its folder beside everything else, and would end the process if the world's were gone by then.
  while (!existsSync(join(filesIn(config), UPLOADS))) await sleep(2);
  return {
    ...createClient(app.server),
    engine,
    clock,
    database,
    data,
    app,
    config,
    masterKey,
    demos,
    async close() {
      await app.server.close();
      await database.close();
      await data.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The session cookie of an answer, as a browser would send it back from our page. */
export function browserOf(name: string, reply: { headers: Record<string, unknown> }): Caller {
  const [cookie = ""] = [reply.headers["set-cookie"]].flat() as string[];
  return { name, headers: { cookie: cookie.split(";")[0] ?? "", ...FROM_OUR_PAGE } };
}

export const bearerOf = (name: string, token: string): Caller => ({ name, headers: { authorization: `Bearer ${token}` } });
