/** The command line's commands, over the same services as the routes. Each returns the lines to print. */
import { SCOPES, type Scope } from "../../contract/define.ts";
import { faultOfText } from "../../contract/text.ts";
import { issuePasswordReset } from "../domain/accounts/members.ts";
import { issueToken } from "../domain/accounts/tokens.ts";
import { audit } from "../domain/audit.ts";
import { recordedKeys } from "../domain/files/stored-keys.ts";
import { checkStorage } from "../storage/check.ts";
import { DEMO } from "./demo/command.ts";
import { importChat } from "./import-chat.ts";
import { accountNamed, type Command, type Options } from "./command.ts";
import { UsageError } from "./usage-error.ts";

const count = (number: number): string => number.toLocaleString("en");

function scopesOf(text: string | undefined): Scope[] {
  if (text === undefined) return [...SCOPES];
  const wanted = text
    .split(",")
    .map((one) => one.trim())
    .filter(Boolean);
  const unknown = wanted.filter((one) => !SCOPES.some((scope) => scope === one));
  if (unknown.length > 0 || wanted.length === 0)
    throw new UsageError(`--scopes takes a list of ${SCOPES.join(", ")}; not known: ${unknown.join(", ") || "(none given)"}.`);
  return SCOPES.filter((scope) => wanted.includes(scope));
}

function checked(options: Options): { organisation: string; username: string; email: string; password: string } {
  const { organisation = "", username = "", email = "", password = "" } = options;
  for (const [name, value, max] of [
    ["organisation", organisation, 120],
    ["username", username, 60],
    ["email", email, 254],
  ] as const) {
    const fault = faultOfText(value, { min: 1, max, singleLine: true });
    if (fault) throw new UsageError(`--${name} ${fault}.`);
  }
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw new UsageError("--email must be an e-mail address.");
  if (password.length < 12) throw new UsageError("--password must have at least 12 characters.");
  return { organisation, username, email, password };
}

export const COMMANDS: Record<string, Command> = {
  "create-owner": {
    usage: "create-owner --organisation NAME --username NAME --email ADDRESS --password PASSWORD",
    about: "Creates an organisation with its owner.",
    required: ["organisation", "username", "email", "password"],
    optional: [],
    async run(world, options) {
      const owner = await world.services.signIn.foundOrganisation(checked(options));
      return [`Created ${options.organisation} with its owner ${owner.username}.`, `Sign in at ${world.publicUrl}/sign-in`];
    },
  },
  "create-token": {
    usage: "create-token --username NAME --name LABEL [--scopes chat:read,chat:write]",
    about: "Creates an API token for a person and prints it; all scopes unless told.",
    required: ["username", "name"],
    optional: ["scopes"],
    async run(world, options) {
      const scopes = scopesOf(options.scopes);
      const name = options.name ?? "";
      const fault = faultOfText(name, { min: 1, max: 80, singleLine: true });
      if (fault) throw new UsageError(`--name ${fault}.`);
      const account = await accountNamed(world, options.username ?? "");
      const { token } = await world.database.write(async (tx) => {
        const issued = await issueToken(tx, world.clock.time, account.id, { name, scopes, expiresAt: null });
        await audit(tx, world.clock.time, {
          organisationId: account.organisation_id,
          accountId: null,
          action: "token.created",
          target: `token:${issued.row.id}`,
          detail: { scopes },
        });
        return issued;
      });
      return [token];
    },
  },
  "reset-password": {
    usage: "reset-password --username NAME",
    about: "Prints a link with which the person chooses a new password (once, within 24 hours).",
    required: ["username"],
    optional: [],
    async run(world, options) {
      const account = await accountNamed(world, options.username ?? "");
      const { url } = await world.database.write(async (tx) => {
        await audit(tx, world.clock.time, {
          organisationId: account.organisation_id,
          accountId: null,
          action: "password.reset_link",
          target: `account:${account.id}`,
        });
        return issuePasswordReset(tx, world.clock.time, world.publicUrl, account.id);
      });
      return [url];
    },
  },
  "check-files": {
    usage: "check-files [--remove orphans]",
    about: "Holds the stored files against the database: bytes that are missing, and bytes that belong to nothing (which --remove orphans removes).",
    required: [],
    optional: ["remove"],
    async run(world, { remove }) {
      if (remove !== undefined && remove !== "orphans") throw new UsageError('--remove takes "orphans".');
      const { storage } = world;
      const found = await checkStorage(storage, recordedKeys(world.database.read), world.clock.time);
      const sum = found.orphans.reduce((bytes, { size }) => bytes + size, 0);
      const lines = [`${count(found.blobs)} blobs, ${count(found.bytes)} bytes.`];
      lines.push(
        found.missing.length === 0 ? "Nothing is missing." : `Missing: ${count(found.missing.length)}`,
        ...found.missing.map(({ key, what }) => `  ${key}  ${what}`),
      );
      lines.push(
        found.orphans.length === 0 ? "Nothing is left over." : `Belonging to nothing: ${count(found.orphans.length)}, ${count(sum)} bytes`,
        ...found.orphans.map(({ key, size }) => `  ${key}  ${count(size)} bytes`),
      );
      if (remove && found.orphans.length > 0) {
        for (const { key } of found.orphans) await storage.remove(key);
        lines.push(`Removed ${count(found.orphans.length)}.`);
      }
      return lines;
    },
  },
  "import-chat": {
    usage: "import-chat --project ID --file chat.jsonl [--author NAME] [--dry-run]",
    about: "Adds messages from a file, one record a line, as chat_history answers them. May be run again: what was imported stays as it is.",
    required: ["project", "file"],
    optional: ["author"],
    flags: ["dry-run"],
    async run(world, options) {
      if (!/^[1-9]\d{0,14}$/.test(options.project ?? "")) throw new UsageError("--project takes the number in the project's address.");
      const fallback = options.author === undefined ? null : await accountNamed(world, options.author);
      // Once: whoever asks a second time means it.
      const stop = new AbortController();
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
      return importChat(world.services.chatImport, {
        projectId: Number(options.project),
        file: options.file ?? "",
        fallback,
        dryRun: options["dry-run"] !== undefined,
        signal: stop.signal,
        progress: (line) => console.error(line),
      });
    },
  },
  demo: DEMO,
};
