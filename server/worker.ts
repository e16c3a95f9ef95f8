/** Entry point of `npm run worker`: sends webhooks, push messages and emails for services that share one PostgreSQL, and does nothing else. */
import { ConfigError, readConfig, VERSION } from "./config.ts";
import { createModules } from "./create-modules.ts";
import { openPostgresDatabase } from "./db/database.ts";
import { migrate } from "./db/migrate.ts";
import { systemClock } from "./lib/clock.ts";
import { loadMasterKey } from "./master-key.ts";
import { startDelivering } from "./modules/agent-subscriptions/start-delivering.ts";
import { startSendingNotifications } from "./modules/notification-delivery/start-sending.ts";
import { readOptions } from "./options.ts";
import { createPrivateFiles } from "./private-files.ts";

function exitWithError(message: string): never {
  console.error(`\nThe worker cannot start.\n${message}\n`);
  process.exit(1);
}

async function start(): Promise<void> {
  createPrivateFiles();
  const { environment, upstream } = readOptions(process.env, process.argv.slice(2));
  if (upstream) throw new ConfigError("--upstream serves only the client. The other service sends the webhooks.");
  const config = readConfig(environment);
  if (!config.databaseUrl) exitWithError("Workers require PostgreSQL: set DATABASE_URL. With the built-in database, the service sends webhooks itself.");
  const masterKey = loadMasterKey(config, false);
  const warn = (error: unknown, message: string) => console.error(message, error);
  const database = openPostgresDatabase(config.databaseUrl, { onRetry: (error) => warn(error, "a transaction ran again after a deadlock") });
  await migrate(database, systemClock);
  const { webhookDeps, notificationDeliveryDeps } = createModules({ database, clock: systemClock, config, masterKey });
  const endpoint = await database.read
    .selectFrom("webhook_endpoints")
    .select("secret")
    .where("deleted_at", "is", null)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  // With a wrong master key every attempt would fail unsigned.
  if (endpoint && webhookDeps.secrets.hintOf(endpoint.secret) === "")
    exitWithError("The webhook secrets were encrypted with a different master key. Set the same MASTER_KEY (or DATA_DIR) as for the services.");
  const stops = [startDelivering({ webhookDeps, guardOptions: config.webhooks, warn }), startSendingNotifications({ deps: notificationDeliveryDeps, warn })];
  console.log(
    `\n  Talkback ${VERSION}: sending webhooks and notifications. Start the services with DELIVERY=off so that only workers send them.\n\n  Stop with Ctrl+C\n`,
  );

  let closing = false;
  const close = async (): Promise<void> => {
    if (closing) process.exit(1);
    closing = true;
    setTimeout(() => process.exit(1), 8_000).unref();
    await Promise.all(stops.map((stop) => stop()));
    await database.close();
    process.exit(0);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void close().catch(() => process.exit(1)));
}

start().catch((error: unknown) => {
  const { code, message } = error as NodeJS.ErrnoException;
  if (error instanceof ConfigError) exitWithError(message);
  if (code === "ECONNREFUSED" || code === "ENOTFOUND") exitWithError(`The database cannot be reached: ${message}. Check DATABASE_URL.`);
  console.error(error);
  exitWithError(message);
});
