/** Entry point of the service: reads the configuration, opens the database, listens, and shuts down gracefully. */
import { buildApp, type App } from "./app.ts";
import { ConfigError, readConfig, VERSION, type Config } from "./config.ts";
import { openPostgresDatabase, openSqliteDatabase } from "./db/database.ts";
import { migrate, UnusableDatabaseError } from "./db/migrate.ts";
import { acquireServingLock } from "./db/serving-lock.ts";
import { listen } from "./http/server.ts";
import { startScheduler } from "./jobs/scheduled-jobs.ts";
import { systemClock } from "./lib/clock.ts";
import { createLog, type Log } from "./lib/log.ts";
import { settleStart } from "./lib/settle-start.ts";
import { loadMasterKey } from "./master-key.ts";
import { openSandbox } from "./open-sandbox.ts";
import { readOptions } from "./options.ts";
import { createPrivateFiles, restrictDataFiles } from "./private-files.ts";
import { startObservability } from "./start-observability.ts";
import { StorageSetupError } from "./storage/storage.ts";
import { formatWarnings, startupWarnings } from "./startup-warnings.ts";
import { startUpstreamServer } from "./start-upstream.ts";

const STOP_SIGNALS = ["SIGINT", "SIGTERM"] as const;
const exitBeforeStart = (): never => process.exit(1);

/** Exits with a message instead of a stack trace. */
function exitWithError(message: string): never {
  console.error(`\nTalkback cannot start.\n${message}\n`);
  process.exit(1);
}

async function start(): Promise<void> {
  // The first process of a container ignores signals that it does not handle.
  for (const signal of STOP_SIGNALS) process.once(signal, exitBeforeStart);
  const { environment, upstream } = readOptions(process.env, process.argv.slice(2));
  const config = readConfig(environment);
  const { logFormat, drainMs } = config.observability;
  const log = createLog({ level: config.logLevel, format: logFormat });
  if (upstream) return stopOnSignal(await startUpstreamServer(config, upstream, log), config, log);
  createPrivateFiles();
  const masterKey = loadMasterKey(config);
  const release = config.databaseUrl ? () => {} : acquireServingLock(config.dataDir);
  if (!release) exitWithError(`Another Talkback process is already using ${config.dataDir}. Stop it first, or set DATA_DIR to another folder.`);
  const onRetry = (error: unknown) => log.warn({ err: error }, "a transaction ran again after a deadlock");
  const database = config.databaseUrl ? openPostgresDatabase(config.databaseUrl, { onRetry }) : openSqliteDatabase(config.dataDir);
  await migrate(database, systemClock);
  const { restrictedCount, openCount } = restrictDataFiles(config.dataDir);
  const openingSandbox = openSandbox(config);
  const app = await buildApp({ config, database, masterKey, log, sandbox: openingSandbox.then((opened) => (typeof opened === "function" ? opened : null)) });
  const { storage } = app.deps;
  await storage.check();
  const observability = await startObservability({ config, database, clock: systemClock, log, serviceName: "talkback", storage, countLive: app.countLive });
  observability.addTo(app.server);
  // With PostgreSQL other processes may be storing files right now, so there only the scheduled job removes old leftovers.
  if (!config.databaseUrl) await app.recoverFromCrash();
  await listen(app.server, config);
  const stopScheduler = startScheduler(database, app.scheduledJobs, (error, message) => log.warn({ err: error }, message));
  const sandbox = await openingSandbox;
  const stopMedia = config.isMediaEnabled ? app.startMedia(typeof sandbox === "function" ? sandbox : null) : async () => {};
  const stopAgentRuns = app.startAgentRuns();
  const stopDemoRemoval = app.startDemoRemoval();
  const stopDelivery = config.isDeliveryEnabled ? app.startDelivery() : async () => {};
  if (restrictedCount > 0)
    notify(`Other users of this machine could read ${restrictedCount} files and folders in ${config.dataDir}. They no longer can.`, config, log);
  if (openCount > 0)
    notify(`Warning   Other users of this machine may read ${openCount} files and folders in ${config.dataDir}, whose modes cannot be changed.`, config, log);
  await printStartupInfo(config, app, log, typeof sandbox === "function" ? null : sandbox.reason);

  const stop = async () => {
    await observability.drain();
    await Promise.all([app.server.close(), stopScheduler(), stopMedia(), stopAgentRuns(), stopDemoRemoval(), stopDelivery()]);
    await observability.stop();
    await database.close();
    release();
  };
  stopOnSignal(stop, config, log, drainMs);
  observability.markStarted();
  settleStart();
}

/** Prints a line for people, or an entry of the log. */
function notify(text: string, { observability }: Config, log: Log): void {
  if (observability.logFormat === "json") log.warn(text);
  else console.log(`\n  ${text}`);
}

/** Calls `stop` and exits on the first signal to end; a second one, or eight seconds beyond `extraMs`, exit at once. */
function stopOnSignal(stop: () => Promise<void>, config: Config, log: Log, extraMs = 0): void {
  let closing = false;
  const close = async (signal: string) => {
    if (closing) process.exit(1);
    closing = true;
    if (config.observability.logFormat === "json") log.info({ signal }, "shutting down");
    else console.log(`\n${signal}: shutting down …`);
    const forceExitTimer = setTimeout(() => process.exit(1), 8_000 + extraMs);
    forceExitTimer.unref();
    await stop();
    process.exit(0);
  };
  for (const signal of STOP_SIGNALS) {
    process.off(signal, exitBeforeStart).on(signal, () => {
      close(signal).catch((error: unknown) => {
        console.error(error);
        process.exit(1);
      });
    });
  }
}

/** `unsandboxedReason`: why the media process is not isolated; null if it is. */
async function printStartupInfo(config: Config, { services, setupToken }: App, log: Log, unsandboxedReason: string | null): Promise<void> {
  const url = config.publicUrl;
  const warnings = startupWarnings(config, { isRoot: process.getuid?.() === 0, isPublicUrlSet: Boolean(process.env["PUBLIC_URL"]) });
  if (config.observability.logFormat === "json") {
    log.info({ url, version: VERSION, database: config.databaseUrl ? "postgres" : "sqlite", unsandboxed_media: unsandboxedReason }, "listening");
    for (const warning of warnings) log.warn(warning.join(" "));
    if (await services.signIn.setupRequired())
      log.warn({ setup_url: `${url}/setup#${setupToken}` }, "open this link to create the owner account; it works once, keep it private");
    return;
  }
  const lines = [``, `  Talkback ${VERSION}`, ``, `  Open      ${url}`];
  if (await services.signIn.setupRequired()) {
    lines.push(`  Set up    ${url}/setup#${setupToken}`, `            This link creates the owner account. It works once; keep it private.`);
  }
  lines.push(`  API       ${url}/docs`, `  Data      ${config.databaseUrl ? "PostgreSQL (DATABASE_URL)" : config.dataDir}`);
  if (config.s3) lines.push(`  Files     bucket ${config.s3.bucket} at ${config.s3.endpoint ?? `AWS, region ${config.s3.region}`}`);
  lines.push(
    `  Media     ${!config.isMediaEnabled ? "processed by npm run worker -- --media" : unsandboxedReason === null ? "decoded without network and without access to the data" : `decoded without isolation: ${unsandboxedReason}`}`,
  );
  if (config.mail) lines.push(`  Email     sent through ${new URL(config.mail.smtpUrl).host}, from ${config.mail.from.address}`);
  if (config.webhooks.allowCidrs.length > 0) lines.push(`  Webhooks  may reach ${config.webhooks.allowCidrs.join(", ")} besides public addresses`);
  lines.push(...formatWarnings(warnings));
  lines.push(``, `  Stop with Ctrl+C`, ``);
  console.log(lines.join("\n"));
}

start().catch((error: unknown) => {
  const { code, message, port } = error as NodeJS.ErrnoException & { port?: number };
  if (error instanceof ConfigError || error instanceof StorageSetupError || error instanceof UnusableDatabaseError) exitWithError(message);
  if (code === "EADDRINUSE") exitWithError(`Port ${port} is in use. Stop the other program, or choose another port: PORT=3001 npm start`);
  if (code === "EACCES" || code === "EPERM") exitWithError(`Permission denied: ${message}`);
  if (code === "ENOSPC") exitWithError(`The disk is full: ${message}`);
  if (code === "ECONNREFUSED" || code === "ENOTFOUND") exitWithError(`The database cannot be reached: ${message}. Check DATABASE_URL.`);
  console.error(error);
  exitWithError(message);
});
