/** The commands `backup`, `check-backup`, `restore`, `export` and `import`. The last two move a place and use the form of the backups. */
import { formatCount } from "../../../contract/text.ts";
import type { Config } from "../../config.ts";
import { loadMasterKey } from "../../master-key.ts";
import { CommandError, type Options, type StandaloneCommand, UsageError } from "../command.ts";
import { allRecordedKeys } from "./all-recorded-keys.ts";
import { type BackupStore, openBackupStore } from "./backup-store.ts";
import { checkBackup, pruneBackups } from "./check-backup.ts";
import { createBackup, type CreatedBackup } from "./create-backup.ts";
import { formatBytes } from "./parallel.ts";
import { assertDatabaseExists, chooseMasterKey, withPlace } from "./place.ts";
import { assertCanRestore, restoreBackup } from "./restore-backup.ts";

const print = (line: string): void => console.error(line);
const MAX_LISTED = 20;

/** Lists at most 20 lines. */
const listed = (lines: readonly string[]): string[] => [
  ...lines.slice(0, MAX_LISTED).map((line) => `  ${line}`),
  ...(lines.length > MAX_LISTED ? [`  … and ${formatCount(lines.length - MAX_LISTED)} more`] : []),
];

/** Turns errors of the operating system about the folder of the backups into sentences. */
async function withDiskErrors<T>(folder: string, outcome: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOSPC" || code === "EDQUOT") throw new CommandError(`There is no space left for ${folder}. ${outcome}`);
    if (code === "EACCES" || code === "EPERM" || code === "EROFS" || code === "EIO") throw new CommandError(`${message}. ${outcome}`);
    throw error;
  }
}

function parseKeep(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new UsageError("--keep must be the number of backups to keep, at least 1.");
  return Number(text);
}

function describeBackup({ id, snapshot, copied }: CreatedBackup): string[] {
  const { tables, files, missing, masterKey } = snapshot;
  const lines = [
    `Backup ${id}: ${formatCount(tables.reduce((sum, { rows }) => sum + rows, 0))} rows and ${formatCount(files.rows)} files (${formatBytes(files.bytes)}).`,
    `  New in it: ${formatCount(copied.count)} files (${formatBytes(copied.bytes)}) and ${formatBytes(copied.rowBytes)} of rows.`,
    masterKey.value === null
      ? "  Without the master key: keep a copy of master.key (or MASTER_KEY) in another place. A restore needs it."
      : "  With the master key: who can read this folder can read the secrets in it.",
  ];
  if (missing.length > 0)
    lines.push(
      `${formatCount(missing.length)} files could not be backed up:`,
      ...listed(missing.map(({ key, description, reason }) => `${key}  ${description} ${reason}`)),
    );
  return lines;
}

/** Reads everything back. Returns lines about it, and the backups with problems. `setsAside`: the caller holds the lock. */
async function verify(store: BackupStore, progress: (line: string) => void, setsAside: boolean): Promise<{ lines: string[]; damaged: Set<string> }> {
  const { snapshots, objects, bytes, problems, damaged } = await checkBackup(store, progress, setsAside);
  const lines =
    problems.length === 0
      ? [`Read back ${formatCount(snapshots.length)} backups: ${formatCount(objects)} objects, files of ${formatBytes(bytes)}. Everything is as it was stored.`]
      : [
          `${formatCount(problems.length)} problems in ${store.folder}:`,
          ...listed(problems),
          ...(setsAside ? [`What is damaged was moved to ${store.damagedFolder}. The next backup copies it again if Talkback still has it.`] : []),
        ];
  return { lines, damaged };
}

/** Checks a folder under its lock, or, where nobody may write, without setting anything aside. */
async function runCheck(store: BackupStore): Promise<string[]> {
  const ids = await store.listSnapshots();
  const unlock = await store.lock().catch((error: unknown) => {
    if (error instanceof CommandError) throw error;
    return null;
  });
  try {
    const { lines, damaged } = await verify(store, print, unlock !== null);
    if (damaged.size > 0) throw new CommandError(lines.join("\n"));
    return [...ids, ...lines];
  } finally {
    unlock?.();
  }
}

/** `mustBeStopped`: for moving, after which nothing may be written here any more. */
async function runBackup(config: Config, options: Options, mustBeStopped: boolean): Promise<string[]> {
  const keep = parseKeep(options.keep);
  const isQuiet = options.quiet !== undefined;
  const progress = isQuiet ? () => {} : print;
  const store = openBackupStore(options.folder ?? "");
  assertDatabaseExists(config);
  const masterKey = loadMasterKey(config, false);
  return withDiskErrors(store.folder, "This backup was not completed; earlier ones are whole. The next run continues.", () =>
    withPlace(config, masterKey, mustBeStopped, async ({ database, storage, assertStopped }) => {
      const unlock = await store.lock();
      try {
        const includesKey = options["include-key"] !== undefined;
        const backup = await createBackup({ database, storage, recordedKeys: allRecordedKeys, masterKey, store, includesKey, progress, assertStopped });
        const lines = describeBackup(backup);
        if (backup.snapshot.missing.length > 0)
          throw new CommandError([...lines, "Everything else is in the backup. Old backups were kept, because they may have these files."].join("\n"));
        const checked = options.verify === undefined ? null : await verify(store, progress, true);
        if (checked) lines.push(...checked.lines);
        if (checked?.damaged.has(backup.id)) throw new CommandError([...lines, "No older backup was removed."].join("\n"));
        if (keep !== null) {
          const { snapshots, bytes } = await pruneBackups(store, keep, backup.id);
          lines.push(`Removed ${formatCount(snapshots)} older backups, ${formatBytes(bytes)}.`);
        }
        // Damage of older backups only, which get fewer every night.
        if (checked && checked.damaged.size > 0) throw new CommandError(lines.join("\n"));
        return isQuiet ? [] : lines;
      } finally {
        unlock();
      }
    }),
  );
}

async function runRestore(config: Config, options: Options): Promise<string[]> {
  const store = openBackupStore(options.folder ?? "");
  const ids = await store.listSnapshots();
  const id = options.snapshot ?? ids.at(-1);
  if (id === undefined) throw new CommandError(`${store.folder} has no complete backup.`);
  if (!ids.includes(id)) throw new CommandError([`There is no backup ${id} in ${store.folder}. There are:`, ...listed(ids.toReversed())].join("\n"));
  const snapshot = await store.readSnapshot(id);
  const { key, save } = chooseMasterKey(config, snapshot, options["new-key"] !== undefined);
  return withDiskErrors(config.dataDir, "The restore is not complete. Run the same command again to continue.", () =>
    withPlace(config, key, true, async ({ database, storage }) => {
      const restore = { database, storage, store, id, snapshot, progress: print };
      await assertCanRestore(restore);
      save();
      await restoreBackup(restore);
      const { missing } = snapshot;
      return [
        `Restored the backup ${id} (${snapshot.createdAt}). Talkback can be started.`,
        ...(missing.length > 0
          ? [`${formatCount(missing.length)} files were missing when the backup was made:`, ...listed(missing.map((file) => file.description))]
          : []),
      ];
    }),
  );
}

const RESTORE_OPTIONS = { argument: "folder", required: [], optional: ["snapshot"], flags: ["new-key"] };

export const BACKUP_COMMANDS: Record<string, StandaloneCommand> = {
  backup: {
    usage: "backup FOLDER [--keep N] [--verify] [--include-key] [--quiet]",
    description:
      "Adds a backup of database and files to a folder, while Talkback runs. Only what is new since the last one is written. --keep removes older backups than the last N; --verify reads everything in the folder back; --quiet prints only failures; --include-key stores the master key too, without which the secrets in the database cannot be read.",
    argument: "folder",
    required: [],
    optional: ["keep"],
    flags: ["verify", "include-key", "quiet"],
    runAlone: (config, options) => runBackup(config, options, false),
  },
  "check-backup": {
    usage: "check-backup FOLDER",
    description: "Lists the backups in a folder and reads all of them back. Sets aside what is damaged, so that the next backup copies it again.",
    argument: "folder",
    required: [],
    optional: [],
    runAlone: (_config, options) => runCheck(openBackupStore(options.folder ?? "")),
  },
  restore: {
    usage: "restore FOLDER [--snapshot ID] [--new-key]",
    description:
      "Restores the newest backup, or the one with this ID, into an empty DATA_DIR or DATABASE_URL. Run it again if it was interrupted. --new-key restores without the master key of the backup.",
    ...RESTORE_OPTIONS,
    runAlone: runRestore,
  },
  export: {
    usage: "export FOLDER [--verify] [--include-key]",
    description: "Writes everything into a folder, to move it to another database or storage with import. Talkback must be stopped.",
    argument: "folder",
    required: [],
    optional: [],
    flags: ["verify", "include-key"],
    runAlone: (config, options) => runBackup(config, options, true),
  },
  import: {
    usage: "import FOLDER [--snapshot ID] [--new-key]",
    description:
      "Fills the empty database and storage that the settings name with an export or a backup, and keeps all ids. Run it again if it was interrupted.",
    ...RESTORE_OPTIONS,
    runAlone: runRestore,
  },
};
