/** Interface, context and errors of the admin commands. */
import { nameKey } from "../../contract/text.ts";
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import type { Config } from "../config.ts";
import type { Services } from "../create-modules.ts";
import type { Database } from "../db/database.ts";
import type { Storage } from "../storage/storage.ts";

export interface CommandContext {
  database: Database;
  storage: Storage;
  services: Services;
  clock: { time: number };
  publicUrl: string;
  config: Config;
  masterKey: Buffer;
}

export type Options = Record<string, string | undefined>;

interface CommandLine {
  usage: string;
  description: string;
  /** Name under which the one argument that is no option is passed on; without it there may be none. */
  argument?: string;
  required: string[];
  optional: string[];
  /** Options without a value. A flag that is set has the value "true". */
  flags?: string[];
}

/** A command on the current data: the database is migrated and the master key exists before it runs. */
export interface Command extends CommandLine {
  run(context: CommandContext, options: Options): Promise<string[]>;
}

/** A command that opens the data itself, or none. */
export interface StandaloneCommand extends CommandLine {
  runAlone(config: Config, options: Options): Promise<string[]>;
}

/** Invalid command line, reported together with the usage. */
export class UsageError extends Error {}

/** A command that failed for a reason that its user can act on. */
export class CommandError extends Error {}

/** Finds an account by name or email address. Throws if there is none, if an email address belongs to several, or if the account is disabled. */
export async function findAccount(context: CommandContext, name: string) {
  const [account, ...others] = await context.database.read
    .selectFrom("accounts")
    .selectAll()
    .where(({ or, eb }) => or([eb("username_key", "=", nameKey(name)), eb("email_key", "=", nameKey(name))]))
    .execute();
  if (others.length > 0)
    throw new UsageError(
      `${name} is the address of several accounts, in different organizations. Use one of their names: ${[account!, ...others].map(({ username }) => username).join(", ")}.`,
    );
  if (!account) throw new UsageError(`No account found for "${name}".`);
  if (account.disabled_at !== null)
    throw new UsageError(`${account.username} is disabled and cannot sign in. An owner or admin can enable them under Settings, Members.`);
  return account;
}

/** Reads a password from standard input: without echo from a terminal, otherwise one line. Returns an empty text if there is none. */
export async function readPassword(prompt: string): Promise<string> {
  const { stdin, stderr } = process;
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  // In terminal mode the interface itself would show what is typed, so its output goes nowhere.
  const lines = createInterface({ input: stdin, output: silent, terminal: stdin.isTTY });
  // The terminal has stopped echoing by now.
  if (stdin.isTTY) stderr.write(prompt);
  try {
    for await (const line of lines) return line;
    return "";
  } finally {
    lines.close();
    if (stdin.isTTY) stderr.write("\n");
  }
}
