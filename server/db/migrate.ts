/** Migrates the schema to the current version: each migration in its own transaction, one process at a time. */
import { sql } from "kysely";
import type { Database, Engine } from "./database.ts";
import { isMissingTable } from "./engine-errors.ts";
import { foundation } from "./migrations/001-foundation.ts";
import { files } from "./migrations/002-files.ts";
import { webhooks } from "./migrations/003-webhooks.ts";
import { tasks } from "./migrations/004-tasks.ts";
import { copyType } from "./migrations/005-copy-type.ts";
import { chat } from "./migrations/006-chat.ts";
import { search } from "./migrations/007-search.ts";
import { filesView } from "./migrations/008-files-view.ts";
import { demo } from "./migrations/009-demo.ts";
import { review } from "./migrations/010-review.ts";
import { replacedStatuses } from "./migrations/011-replaced-statuses.ts";
import { linkCreators } from "./migrations/012-link-creators.ts";
import { auditLog } from "./migrations/013-audit-log.ts";
import { emailAddresses } from "./migrations/013-email-addresses.ts";
import { boundedLists } from "./migrations/014-bounded-lists.ts";
import { mediaTurns } from "./migrations/015-media-turns.ts";
import { teamContract } from "./migrations/016-team-contract.ts";
import { storageTotals } from "./migrations/017-storage-totals.ts";
import { tokensAndNameKeys } from "./migrations/018-tokens-and-name-keys.ts";
import { unsureKeys } from "./migrations/019-unsure-keys.ts";
import { oauth } from "./migrations/020-oauth.ts";
import { playlists } from "./migrations/021-playlists.ts";
import { favorites } from "./migrations/022-favorites.ts";
import { notifications } from "./migrations/023-notifications.ts";
import { notificationDelivery } from "./migrations/024-notification-delivery.ts";
import { accountProfiles } from "./migrations/025-account-profiles.ts";
import { globalSearch } from "./migrations/026-global-search.ts";
import { confirmedAddresses } from "./migrations/027-confirmed-addresses.ts";
import { accountKeys } from "./migrations/028-account-keys.ts";
import { documents } from "./migrations/029-documents.ts";
import { metadata } from "./migrations/030-metadata.ts";
import { deliveryRules } from "./migrations/031-delivery-rules.ts";
import { agents } from "./migrations/032-agents.ts";
import { agentTasks } from "./migrations/033-agent-tasks.ts";
import { agentModels } from "./migrations/034-agent-models.ts";
import { agentSubscriptions } from "./migrations/035-agent-subscriptions.ts";
import { agentActions } from "./migrations/036-agent-actions.ts";
import { lifeOfProjects } from "./migrations/037-life-of-projects.ts";
import { deletedFiles } from "./migrations/038-deleted-files.ts";
import { commentAttachments } from "./migrations/040-comment-attachments.ts";
import { folderDates } from "./migrations/042-folder-dates.ts";
import { projectsOfWebhookEvents } from "./migrations/044-projects-of-webhook-events.ts";
import { scheduledRuns } from "./migrations/045-scheduled-runs.ts";
import { indexMerges } from "./migrations/046-index-merges.ts";
import type { Migration } from "./migrations/migration.ts";
import type { Db, Tx } from "./schema.ts";

/** In the order in which they run, which never changes: new ones come last. Two have the number 013; their order is the one here. */
export const MIGRATIONS: Migration[] = [
  foundation,
  files,
  webhooks,
  tasks,
  copyType,
  chat,
  search,
  filesView,
  demo,
  review,
  replacedStatuses,
  linkCreators,
  auditLog,
  emailAddresses,
  boundedLists,
  mediaTurns,
  teamContract,
  storageTotals,
  tokensAndNameKeys,
  unsureKeys,
  oauth,
  playlists,
  favorites,
  notifications,
  notificationDelivery,
  accountProfiles,
  globalSearch,
  confirmedAddresses,
  accountKeys,
  documents,
  metadata,
  deliveryRules,
  agents,
  agentTasks,
  agentModels,
  agentSubscriptions,
  agentActions,
  lifeOfProjects,
  deletedFiles,
  commentAttachments,
  folderDates,
  projectsOfWebhookEvents,
  scheduledRuns,
  indexMerges,
];
const ADVISORY_LOCK = 7_214_601;

/** Begins the name of an entry in `migrations` that a database has until its restore is complete, so that no service starts with half of the data. */
export const UNFINISHED_RESTORE = "unfinished restore of ";

/** SQLite has one writer anyway; on PostgreSQL this waits without timeout for another process that migrates. */
async function lockMigrations(tx: Tx, engine: Engine): Promise<void> {
  if (engine === "sqlite") return;
  await sql`set local lock_timeout = 0`.execute(tx);
  await sql`select pg_advisory_xact_lock(${ADVISORY_LOCK})`.execute(tx);
}

/** Returns the names of the migrations that have run; none where nothing was migrated yet. */
export async function readMigrationNames(db: Db): Promise<string[]> {
  try {
    return (await db.selectFrom("migrations").select("name").execute()).map(({ name }) => name);
  } catch (error) {
    if (isMissingTable(error)) return [];
    throw error;
  }
}

/** The message is a sentence for whoever starts the service. */
export class UnusableDatabaseError extends Error {}

/** A newer version has migrated the database, so this one would not know its tables. */
export class NewerDatabaseError extends UnusableDatabaseError {
  constructor(newerName: string, lastName: string | undefined) {
    super(
      `The database belongs to a newer version of Talkback: it has the migration "${newerName}", and this version ends with "${lastName}". ` +
        "Nothing was changed. Start the newer version, or restore a backup that was made before the upgrade.",
    );
  }
}

interface MigrateOptions {
  /** Whether the caller is the restore that has left the database unfinished. */
  isRestoring?: boolean;
}

/** Applies missing migrations and returns their names. Throws an `UnusableDatabaseError` if a newer version has migrated the database, or if it was restored only in part. */
export async function migrate(
  database: Database,
  clock: { now(): number },
  migrations: Migration[] = MIGRATIONS,
  { isRestoring = false }: MigrateOptions = {},
): Promise<string[]> {
  await database.write(async (tx) => {
    await lockMigrations(tx, database.engine);
    await sql`create table if not exists migrations (name varchar(100) primary key, applied_at bigint not null)`.execute(tx);
  });
  const applied: string[] = [];
  for (const migration of migrations) {
    const ran = await database.write(async (tx) => {
      await lockMigrations(tx, database.engine);
      const entries = await tx.selectFrom("migrations").select("name").execute();
      const existing = entries.filter(({ name }) => !name.startsWith(UNFINISHED_RESTORE));
      if (existing.length < entries.length && !isRestoring)
        throw new UnusableDatabaseError("A restore or import into this database was interrupted. Run the same command again to complete it.");
      const unknown = existing.map(({ name }) => name).filter((name) => !migrations.some((candidate) => candidate.name === name));
      if (unknown.length > 0) throw new NewerDatabaseError(unknown.toSorted().at(-1)!, migrations.at(-1)?.name);
      if (existing.some(({ name }) => name === migration.name)) return false;
      await migration.up(tx, database.engine);
      await tx.insertInto("migrations").values({ name: migration.name, applied_at: clock.now() }).execute();
      return true;
    });
    if (ran) applied.push(migration.name);
  }
  return applied;
}
