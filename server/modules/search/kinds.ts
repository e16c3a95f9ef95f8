/** The kinds of results: what a caller needs to read each, and the rows of it that the caller sees. */
import { type RawBuilder, sql } from "kysely";
import type { Scope } from "../../../contract/define-operation.ts";
import type { NoFacts, RuleFor } from "../../../contract/policy.ts";
import type { SearchKind } from "../../../contract/search-records.ts";
import { type Actor, visibleAccounts, visibleProjects } from "../../access/access.ts";
import type { Db } from "../../db/schema.ts";
import type { IndexedKind } from "../../db/search-index.ts";

interface KindAccess {
  indexedAs: IndexedKind;
  rule: RuleFor<NoFacts>;
  scope: Scope;
  /** The column that `time` of the result shows. */
  time: string;
  /** The column of the name that ranks results; null if they are ordered by time alone. */
  name: string | null;
  /** False if people have not written, created or been assigned the records, so that the filter by person leaves them out. */
  hasPeople: boolean;
  /** The rows that the actor sees; `inProject` narrows them to one project. */
  visible(db: Db, actor: Actor, inProject: number | null): RawBuilder<boolean>;
}

const inVisibleProject = (db: Db, actor: Actor, column: string): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(column)} in (${visibleProjects(db, actor).select("projects.id")})`;
const ofUndeletedFile = (column: string): RawBuilder<boolean> =>
  sql<boolean>`exists (select 1 from files where files.id = ${sql.ref(column)} and files.deleted_at is null)`;

export const KINDS: Record<SearchKind, KindAccess> = {
  project: {
    indexedAs: "project",
    rule: "project.read",
    scope: "account:read",
    time: "projects.created_at",
    name: "projects.name",
    hasPeople: false,
    visible: (db, actor) => inVisibleProject(db, actor, "projects.id"),
  },
  person: {
    indexedAs: "account",
    rule: "account.read",
    scope: "account:read",
    time: "accounts.created_at",
    name: "accounts.username",
    hasPeople: false,
    visible: (db, actor, inProject) => sql<boolean>`accounts.disabled_at is null and accounts.id in (${visibleAccounts(db, actor).select("accounts.id")})
      ${inProject === null ? sql`` : sql`and accounts.id in (select account_id from project_members where project_id = ${inProject})`}`,
  },
  file: {
    indexedAs: "file",
    rule: "file.read",
    scope: "files:read",
    time: "files.changed_at",
    name: "files.name",
    hasPeople: true,
    visible: (db, actor) => sql<boolean>`files.deleted_at is null and ${inVisibleProject(db, actor, "files.project_id")}`,
  },
  playlist: {
    indexedAs: "playlist",
    rule: "playlist.read",
    scope: "files:read",
    time: "playlists.created_at",
    name: "playlists.name",
    hasPeople: true,
    visible: (db, actor) => sql<boolean>`playlists.deleted_at is null and ${inVisibleProject(db, actor, "playlists.project_id")}`,
  },
  task: {
    indexedAs: "task",
    rule: "task.read",
    scope: "files:read",
    time: "tasks.created_at",
    name: null,
    hasPeople: true,
    visible: (db, actor) => sql<boolean>`exists (select 1 from files where files.id = tasks.file_id and files.deleted_at is null
      and ${inVisibleProject(db, actor, "files.project_id")})`,
  },
  message: {
    indexedAs: "message",
    rule: "chat.read",
    scope: "chat:read",
    time: "messages.created_at",
    name: null,
    hasPeople: true,
    visible: (db, actor) => sql<boolean>`messages.deleted_at is null and ${inVisibleProject(db, actor, "messages.project_id")}`,
  },
  document: {
    indexedAs: "document",
    rule: "file.read",
    scope: "files:read",
    time: "document_pages.created_at",
    name: null,
    hasPeople: true,
    visible: (db, actor) => sql<boolean>`${inVisibleProject(db, actor, "document_pages.project_id")} and exists (select 1 from files
      where files.id = document_pages.file_id and files.version_id = document_pages.version_id and files.deleted_at is null)`,
  },
  comment: {
    indexedAs: "comment",
    rule: "comment.read",
    scope: "files:read",
    time: "comments.created_at",
    name: null,
    hasPeople: true,
    visible: (db, actor) =>
      sql<boolean>`comments.deleted_at is null and ${inVisibleProject(db, actor, "comments.project_id")} and ${ofUndeletedFile("comments.file_id")}`,
  },
};
