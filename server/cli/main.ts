/** `npm run admin -- <command>`: works on the data directly and may run beside a running service. */
import { parseArgs } from "node:util";
import { ConfigError, readConfig } from "../config.ts";
import { createModules } from "../create-modules.ts";
import { openPostgresDatabase, openSqliteDatabase } from "../db/database.ts";
import { isRefusedConnection, isUnavailable } from "../db/engine-errors.ts";
import { migrate, UnusableDatabaseError } from "../db/migrate.ts";
import { HttpError } from "../lib/errors.ts";
import { loadMasterKey } from "../master-key.ts";
import { createPrivateFiles } from "../private-files.ts";
import { StorageSetupError } from "../storage/storage.ts";
import { BACKUP_COMMANDS } from "./backup/commands.ts";
import { type Command, CommandError, type StandaloneCommand, UsageError } from "./command.ts";
import { COMMANDS } from "./commands.ts";

const ALL_COMMANDS: Record<string, Command | StandaloneCommand> = { ...COMMANDS, ...BACKUP_COMMANDS };

function help(): string {
  const rows = Object.values(ALL_COMMANDS).map(({ usage, description }) => `  ${usage}\n      ${description}`);
  return `npm run admin -- <command>\n\n${rows.join("\n\n")}\n\nUses DATA_DIR, DATABASE_URL, PUBLIC_URL and the S3 settings like the service, and can run at the same time, except for restore, export and import.`;
}

async function run(): Promise<void> {
  createPrivateFiles();
  const [name = "", ...commandArgs] = process.argv.slice(2);
  if (["", "help", "--help", "-h"].includes(name)) return console.log(help());
  const command = ALL_COMMANDS[name];
  if (!command) throw new UsageError(`Unknown command "${name}".`);
  const valueOptions = [...command.required, ...command.optional];
  const flags = command.flags ?? [];
  if (commandArgs.includes("--help") || commandArgs.includes("-h")) return console.log(`npm run admin -- ${command.usage}\n\n${command.description}`);
  const { values: parsedValues, positionals } = parseArgs({
    args: commandArgs,
    allowPositionals: command.argument !== undefined,
    options: Object.fromEntries([
      ...valueOptions.map((option) => [option, { type: "string" as const }]),
      ...flags.map((option) => [option, { type: "boolean" as const }]),
    ]),
    strict: true,
  });
  const values = Object.fromEntries(Object.entries(parsedValues).map(([option, value]) => [option, value === undefined ? undefined : String(value)]));
  const usage = `Usage: npm run admin -- ${command.usage}`;
  const missingOptions = command.required.filter((option) => values[option] === undefined);
  if (missingOptions.length > 0) throw new UsageError(`Missing: ${missingOptions.map((option) => `--${option}`).join(" ")}\n${usage}`);
  if (command.argument !== undefined) {
    if (positionals.length !== 1)
      throw new UsageError(`${positionals.length === 0 ? "Missing" : "More than one"}: ${command.argument.toUpperCase()}\n${usage}`);
    values[command.argument] = positionals[0];
  }

  const config = readConfig(process.env);
  if ("runAlone" in command) {
    for (const line of await command.runAlone(config, values)) console.log(line);
    return;
  }
  const masterKey = loadMasterKey(config);
  const database = config.databaseUrl ? openPostgresDatabase(config.databaseUrl) : openSqliteDatabase(config.dataDir);
  try {
    const clock = { time: Date.now(), now: () => clock.time };
    await migrate(database, clock);
    const { services, deps } = createModules({ database, clock, config, masterKey });
    for (const line of await command.run({ database, storage: deps.storage, services, clock, publicUrl: config.publicUrl, config, masterKey }, values))
      console.log(line);
  } finally {
    await database.close();
  }
}

run().catch((error: unknown) => {
  const { message, code } = error as NodeJS.ErrnoException;
  const expected =
    error instanceof UsageError ||
    error instanceof CommandError ||
    error instanceof HttpError ||
    error instanceof ConfigError ||
    error instanceof UnusableDatabaseError ||
    error instanceof StorageSetupError ||
    code?.startsWith("ERR_PARSE_ARGS");
  if (process.env.DATABASE_URL && (isUnavailable(error) || isRefusedConnection(error)))
    console.error(`The database cannot be reached: ${message}. Check DATABASE_URL.`);
  else console.error(expected ? message : error);
  if (error instanceof UsageError && !message.includes("Usage:")) console.error("See: npm run admin -- help");
  process.exitCode = 1;
});
