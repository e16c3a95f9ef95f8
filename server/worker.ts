/**
 * Entry point of `npm run worker`: sends webhooks, push messages and emails (`--delivery`, the default), or processes uploads (`--media`), for services that
 * share one PostgreSQL and one storage.
 */
import { ConfigError, readConfig, VERSION, type Config } from "./config.ts";
import { createModules } from "./create-modules.ts";
import { openPostgresDatabase } from "./db/database.ts";
import { isUnavailable } from "./db/engine-errors.ts";
import { migrate, UnusableDatabaseError } from "./db/migrate.ts";
import { onEachMachine, startScheduler } from "./jobs/scheduled-jobs.ts";
import { HOUR, systemClock } from "./lib/clock.ts";
import { createLog, type Log } from "./lib/log.ts";
import { loadMasterKey } from "./master-key.ts";
import { startDelivering } from "./modules/agent-subscriptions/start-delivering.ts";
import { createUploadAnalyzer } from "./modules/files/analyze-upload.ts";
import { startMediaWorkers } from "./modules/files/processing.ts";
import { startSendingNotifications } from "./modules/notification-delivery/start-sending.ts";
import { findMasterKeyIssue } from "./modules/webhooks/repository.ts";
import { openSandbox } from "./open-sandbox.ts";
import { readOptions, readWorkerOptions } from "./options.ts";
import { createPrivateFiles } from "./private-files.ts";
import { startObservability } from "./start-observability.ts";
import { StorageSetupError } from "./storage/storage.ts";

type Modules = ReturnType<typeof createModules>;
type Warn = (error: unknown, message: string) => void;
type Stop = () => Promise<void>;

function exitWithError(message: string): never {
  console.error(`\nThe worker cannot start.\n${message}\n`);
  process.exit(1);
}

async function startDelivery({ webhookDeps, notificationDeliveryDeps }: Modules, config: Config, warn: Warn): Promise<Stop[]> {
  const issue = await findMasterKeyIssue(webhookDeps.database.read, webhookDeps.secrets);
  // With a wrong master key every attempt would fail unsigned.
  if (issue !== null) exitWithError(issue);
  return [startDelivering({ webhookDeps, guardOptions: config.webhooks, warn }), startSendingNotifications({ deps: notificationDeliveryDeps, warn })];
}

async function startMedia({ deps }: Modules, config: Config, log: Log, warn: Warn): Promise<Stop[]> {
  await deps.storage.check();
  const { blob_key: key } = (await deps.database.read.selectFrom("file_versions").select("blob_key").orderBy("id", "desc").limit(1).executeTakeFirst()) ?? {};
  // Without their bytes every file would fail.
  if (key !== undefined && (await deps.storage.size(key)) === null)
    exitWithError(`The services store files elsewhere: the newest one is not in this worker's storage (${config.dataDir}). Give both the same storage.`);
  const sandbox = await openSandbox(config);
  const isIsolated = typeof sandbox === "function";
  if (!isIsolated) log.warn(`files are decoded without isolation: ${sandbox.reason}`);
  return [
    startMediaWorkers(deps, {
      analyzeUpload: createUploadAnalyzer({ taggingModel: config.taggingModel, sandbox: isIsolated ? sandbox : null }),
      onError: (error) => warn(error, "a media job failed unexpectedly"),
    }),
    startScheduler(deps.database, { "delete stale work": onEachMachine(() => deps.storage.removeStale(HOUR)) }, warn),
  ];
}

async function start(): Promise<void> {
  createPrivateFiles();
  const { work, rest } = readWorkerOptions(process.argv.slice(2));
  const { environment, upstream } = readOptions(process.env, rest);
  if (upstream) throw new ConfigError("--upstream serves only the client. The other service sends the webhooks and processes the uploads.");
  const config = readConfig(environment);
  if (!config.databaseUrl)
    exitWithError("Workers require PostgreSQL: set DATABASE_URL. With the built-in database, the service sends webhooks and processes uploads itself.");
  const masterKey = loadMasterKey(config, false);
  const { logFormat } = config.observability;
  const log = createLog({ level: config.logLevel, format: logFormat });
  // A database that is away for a while needs no stack trace.
  const warn: Warn = (error, message) => (isUnavailable(error) ? log.warn(`${message} (${(error as Error).message})`) : log.warn({ err: error }, message));
  const database = openPostgresDatabase(config.databaseUrl, { onRetry: (error) => warn(error, "a transaction ran again after a deadlock") });
  await migrate(database, systemClock);
  const modules = createModules({ database, clock: systemClock, config, masterKey });
  const { storage } = modules.deps;
  const hasStorage = work.includes("media");
  const observability = await startObservability({
    config,
    database,
    clock: systemClock,
    log,
    serviceName: "talkback-worker",
    ...(hasStorage ? { storage } : {}),
  });
  // While the database is away, no connection to it keeps the process alive.
  setInterval(() => {}, HOUR);
  const stops: Stop[] = [];
  const lines: string[] = [];
  if (work.includes("delivery")) {
    stops.push(...(await startDelivery(modules, config, warn)));
    lines.push("sending webhooks and notifications. Start the services with DELIVERY=off so that only workers send them.");
  }
  if (work.includes("media")) {
    stops.push(...(await startMedia(modules, config, log, warn)));
    lines.push("processing uploads. Start the services with MEDIA=off so that only workers process them.");
  }
  if (logFormat === "json") for (const line of lines) log.info({ version: VERSION }, line);
  else console.log([``, ...lines.map((line) => `  Talkback ${VERSION}: ${line}`), ``, `  Stop with Ctrl+C`, ``].join("\n"));

  let closing = false;
  const close = async (): Promise<void> => {
    if (closing) process.exit(1);
    closing = true;
    setTimeout(() => process.exit(1), 8_000).unref();
    // No load balancer sends anything here, so nothing has to be waited for.
    void observability.drain();
    await Promise.all(stops.map((stop) => stop()));
    await observability.stop();
    await database.close();
    process.exit(0);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void close().catch(() => process.exit(1)));
  observability.markStarted();
}

start().catch((error: unknown) => {
  const { code, message } = error as NodeJS.ErrnoException;
  if (error instanceof ConfigError || error instanceof StorageSetupError || error instanceof UnusableDatabaseError) exitWithError(message);
  if (code === "ECONNREFUSED" || code === "ENOTFOUND") exitWithError(`The database cannot be reached: ${message}. Check DATABASE_URL.`);
  console.error(error);
  exitWithError(message);
});
