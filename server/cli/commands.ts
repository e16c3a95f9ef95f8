/** Admin commands, built on the same services as the HTTP routes. Each command returns the lines to print. */
import * as z from "zod/mini";
import { SCOPES, type Scope } from "../../contract/define-operation.ts";
import { setUp } from "../../contract/operations/session.ts";
import { findTextIssue, formatCount } from "../../contract/text.ts";
import { audit } from "../access/audit.ts";
import { issueToken } from "../modules/accounts/api-tokens.ts";
import { issuePasswordReset } from "../modules/accounts/members.ts";
import { checkStorage } from "../storage/storage.ts";
import { allRecordedKeys } from "./backup/all-recorded-keys.ts";
import { type Command, findAccount, type Options, readPassword, UsageError } from "./command.ts";
import { demoCommand } from "./demo.ts";
import { importChat } from "./import-chat.ts";
import { installModelCommand } from "./install-model.ts";
import { testMailCommand } from "./test-mail.ts";

function parseScopes(text: string | undefined): Scope[] {
  if (text === undefined) return [...SCOPES];
  const requested = text
    .split(",")
    .map((name) => name.trim())
    .filter(Boolean);
  const unknown = requested.filter((name) => !SCOPES.some((scope) => scope === name));
  if (unknown.length > 0 || requested.length === 0)
    throw new UsageError(`--scopes must be a comma-separated list of ${SCOPES.join(", ")}; unknown: ${unknown.join(", ") || "(none given)"}.`);
  return SCOPES.filter((scope) => requested.includes(scope));
}

const ownerInput = z.omit(setUp.body, { token: true });

/** Validates the owner's data as the API does. Asks for the password if the command line does not name it, because others can read the command line. */
async function readOwnerOptions({ organisation, username, email, password }: Options): Promise<z.infer<typeof ownerInput>> {
  const input = { organisation, username, email, password: password ?? (await readPassword("Password of the owner: ")) };
  const result = z.safeParse(ownerInput, input);
  if (result.success) return result.data;
  throw new UsageError(result.error.issues.map(({ path, message }) => `--${path.join(".")} ${message}.`).join("\n"));
}

export const COMMANDS: Record<string, Command> = {
  "create-owner": {
    usage: "create-owner --organisation NAME --username NAME --email ADDRESS",
    description:
      "Creates an organization and its owner. Asks for the password, or reads it as one line of standard input. --password PASSWORD works too, but the list of processes and the shell's history show it.",
    required: ["organisation", "username", "email"],
    optional: ["password"],
    async run(context, options) {
      const owner = await context.services.signIn.createOrganisation(await readOwnerOptions(options));
      return [`Created ${options.organisation} with its owner ${owner.username}.`, `Sign in at ${context.publicUrl}/sign-in`];
    },
  },
  "create-token": {
    usage: "create-token --username NAME --name LABEL [--scopes chat:read,chat:write]",
    description: "Creates an API token for a person and prints it. Default: all scopes.",
    required: ["username", "name"],
    optional: ["scopes"],
    async run(context, options) {
      const scopes = parseScopes(options.scopes);
      const name = options.name ?? "";
      const issue = findTextIssue(name, { min: 1, max: 80, singleLine: true });
      if (issue) throw new UsageError(`--name ${issue}.`);
      const account = await findAccount(context, options.username ?? "");
      const { token } = await context.database.write(async (tx) => {
        const issued = await issueToken(tx, context.clock.time, account.id, { name, scopes, expiresAt: null });
        await audit(tx, context.clock.time, {
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
    description: "Prints a password reset link that works once, within 24 hours.",
    required: ["username"],
    optional: [],
    async run(context, options) {
      const account = await findAccount(context, options.username ?? "");
      const { url } = await context.database.write(async (tx) => {
        await audit(tx, context.clock.time, {
          organisationId: account.organisation_id,
          accountId: null,
          action: "password.reset_link",
          target: `account:${account.id}`,
        });
        return issuePasswordReset(tx, context.clock.time, context.publicUrl, account.id, null);
      });
      return [url];
    },
  },
  "check-files": {
    usage: "check-files [--remove orphans]",
    description: "Compares the stored files with the database and lists missing files and orphans, which --remove orphans deletes.",
    required: [],
    optional: ["remove"],
    async run(context, { remove }) {
      if (remove !== undefined && remove !== "orphans") throw new UsageError('--remove only accepts "orphans".');
      const { storage } = context;
      const result = await checkStorage(storage, allRecordedKeys(context.database.read), context.clock.time);
      const orphanBytes = result.orphans.reduce((bytes, { size }) => bytes + size, 0);
      const lines = [`${formatCount(result.blobs)} blobs, ${formatCount(result.bytes)} bytes.`];
      lines.push(
        result.missing.length === 0 ? "Nothing is missing." : `Missing: ${formatCount(result.missing.length)}`,
        ...result.missing.map(({ key, description: problem }) => `  ${key}  ${problem}`),
      );
      lines.push(
        result.orphans.length === 0 ? "No orphans." : `Orphans: ${formatCount(result.orphans.length)}, ${formatCount(orphanBytes)} bytes`,
        ...result.orphans.map(({ key, size }) => `  ${key}  ${formatCount(size)} bytes`),
      );
      if (remove && result.orphans.length > 0) {
        for (const { key } of result.orphans) await storage.remove(key);
        lines.push(`Removed ${formatCount(result.orphans.length)}.`);
      }
      return lines;
    },
  },
  "import-chat": {
    usage: "import-chat --project ID --file chat.jsonl [--author NAME] [--dry-run]",
    description: "Imports messages from a JSON Lines file of chat_history records. Can be run again; messages that were already imported are skipped.",
    required: ["project", "file"],
    optional: ["author"],
    flags: ["dry-run"],
    async run(context, options) {
      if (!/^[1-9]\d{0,14}$/.test(options.project ?? "")) throw new UsageError("--project must be the number in the project's URL.");
      const fallback = options.author === undefined ? null : await findAccount(context, options.author);
      // Handles each signal once, so that a second signal terminates the process.
      const controller = new AbortController();
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => controller.abort());
      return importChat(context.services.chatImport, {
        projectId: Number(options.project),
        file: options.file ?? "",
        fallback,
        dryRun: options["dry-run"] !== undefined,
        signal: controller.signal,
        progress: (line) => console.error(line),
      });
    },
  },
  demo: demoCommand,
  "install-model": installModelCommand,
  "test-mail": testMailCommand,
};
