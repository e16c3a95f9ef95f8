/** Table types for both engines: integer keys, times as epoch milliseconds, booleans as 0/1, JSON as text. `tables/` has the tables of each area. */
import type { Insertable, Kysely, Selectable } from "kysely";
import type { AccountTables } from "./tables/accounts.ts";
import type { AgentActionTables } from "./tables/agent-actions.ts";
import type { AgentSubscriptionTables } from "./tables/agent-subscriptions.ts";
import type { AgentTables } from "./tables/agents.ts";
import type { AgentTaskTables } from "./tables/agent-tasks.ts";
import type { ConversationTables } from "./tables/conversation.ts";
import type { DeliveryRuleTables } from "./tables/delivery-rules.ts";
import type { DocumentTables } from "./tables/documents.ts";
import type { FavoriteTables } from "./tables/favorites.ts";
import type { FileTables } from "./tables/files.ts";
import type { MetadataTables } from "./tables/metadata.ts";
import type { NotificationDeliveryTables } from "./tables/notification-delivery.ts";
import type { NotificationTables } from "./tables/notifications.ts";
import type { PlatformTables } from "./tables/platform.ts";
import type { PlaylistTables } from "./tables/playlists.ts";
import type { ProjectTables } from "./tables/projects.ts";

export interface Schema
  extends
    AccountTables,
    AgentActionTables,
    AgentSubscriptionTables,
    AgentTables,
    AgentTaskTables,
    ConversationTables,
    DeliveryRuleTables,
    DocumentTables,
    FavoriteTables,
    FileTables,
    MetadataTables,
    NotificationDeliveryTables,
    NotificationTables,
    PlatformTables,
    PlaylistTables,
    ProjectTables {}

export type Row<T extends keyof Schema> = Selectable<Schema[T]>;
export type NewRow<T extends keyof Schema> = Insertable<Schema[T]>;

/** Database handle for reads. Inside a transaction pass the `Tx`. */
export type Db = Kysely<Schema>;
declare const insideTransaction: unique symbol;
/** Handle that exists only inside `Database.write`; functions that change rows require it. */
export type Tx = Db & { readonly [insideTransaction]: true };
