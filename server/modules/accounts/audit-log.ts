/** Reads the audit log of an organization, with the present names of people and targets. */
import { AUDIT_ACTIONS, describeAuditAction, type AuditEntry, type AuditGroup, type AuditTarget } from "../../../contract/audit.ts";
import { assertCan, type Actor } from "../../access/access.ts";
import type { ModuleDeps } from "../../access/deps.ts";
import type { Db, Row } from "../../db/schema.ts";
import { toPage } from "../../http/paging.ts";
import { iso } from "../../lib/iso-time.ts";

export interface AuditFilter {
  /** Who acted, or whose account was the target. */
  accountId: number | undefined;
  group: AuditGroup | undefined;
  /** Epoch milliseconds; `to` is exclusive. */
  from: number | undefined;
  to: number | undefined;
}

interface TargetInfo {
  name: string | null;
  projectId?: number | null;
  fileId?: number | null;
}

/** Loads the targets of one type by id. Types that are missing here have no name. */
const TARGET_LOADERS: Partial<Record<AuditTarget, (db: Db, ids: number[]) => Promise<(TargetInfo & { id: number })[]>>> = {
  account: (db, ids) => db.selectFrom("accounts").select(["id", "username as name"]).where("id", "in", ids).execute(),
  organisation: (db, ids) => db.selectFrom("organisations").select(["id", "name"]).where("id", "in", ids).execute(),
  team: (db, ids) => db.selectFrom("teams").select(["id", "name"]).where("id", "in", ids).execute(),
  group: (db, ids) => db.selectFrom("project_groups").select(["id", "name"]).where("id", "in", ids).execute(),
  project: (db, ids) => db.selectFrom("projects").select(["id", "name", "id as projectId"]).where("id", "in", ids).execute(),
  file: (db, ids) => db.selectFrom("files").select(["id", "name", "project_id as projectId", "id as fileId"]).where("id", "in", ids).execute(),
  file_status: (db, ids) => db.selectFrom("file_statuses").select(["id", "title as name"]).where("id", "in", ids).execute(),
  task_template: (db, ids) => db.selectFrom("task_templates").select(["id", "name"]).where("id", "in", ids).execute(),
  token: (db, ids) => db.selectFrom("api_tokens").select(["id", "name"]).where("id", "in", ids).execute(),
  invite: (db, ids) => db.selectFrom("invites").select(["id", "email as name"]).where("id", "in", ids).execute(),
  agent_subscription: (db, ids) => db.selectFrom("webhook_endpoints").select(["id", "url as name"]).where("id", "in", ids).execute(),
  agent_task: (db, ids) => db.selectFrom("agent_tasks").select(["id", "name", "project_id as projectId"]).where("id", "in", ids).execute(),
  webhook_endpoint: (db, ids) => db.selectFrom("webhook_endpoints").select(["id", "url as name"]).where("id", "in", ids).execute(),
  metadata_field: (db, ids) => db.selectFrom("metadata_fields").select(["id", "name"]).where("id", "in", ids).execute(),
  metadata_template: (db, ids) => db.selectFrom("metadata_templates").select(["id", "name"]).where("id", "in", ids).execute(),
  playlist: (db, ids) => db.selectFrom("playlists").select(["id", "name", "project_id as projectId"]).where("id", "in", ids).execute(),
  message: (db, ids) =>
    db
      .selectFrom("messages")
      .innerJoin("projects", "projects.id", "messages.project_id")
      .select(["messages.id", "projects.name", "projects.id as projectId"])
      .where("messages.id", "in", ids)
      .execute(),
  comment: (db, ids) =>
    db
      .selectFrom("comments")
      .innerJoin("files", "files.id", "comments.file_id")
      .select(["comments.id", "files.name", "files.project_id as projectId", "files.id as fileId"])
      .where("comments.id", "in", ids)
      .execute(),
  task: (db, ids) =>
    db
      .selectFrom("tasks")
      .innerJoin("files", "files.id", "tasks.file_id")
      .select(["tasks.id", "tasks.title as name", "files.project_id as projectId", "files.id as fileId"])
      .where("tasks.id", "in", ids)
      .execute(),
};

const parseTarget = (target: string): { type: string; id: number } => {
  const [type = "", id] = target.split(":");
  return { type, id: Number(id) };
};

async function loadTargets(db: Db, rows: readonly Row<"audit">[]): Promise<Map<string, TargetInfo>> {
  const idsByType = Map.groupBy([...new Set(rows.map(({ target }) => target))].map(parseTarget), ({ type }) => type);
  const infos = new Map<string, TargetInfo>();
  for (const [type, targets] of idsByType) {
    const loaded = await TARGET_LOADERS[type as AuditTarget]?.(
      db,
      targets.map(({ id }) => id),
    );
    for (const { id, ...info } of loaded ?? []) infos.set(`${type}:${id}`, info);
  }
  return infos;
}

const parseDetail = ({ detail }: Row<"audit">): Record<string, unknown> => JSON.parse(detail) as Record<string, unknown>;
const concernedAccount = ({ account_id }: Record<string, unknown>): number | null => (typeof account_id === "number" ? account_id : null);

export function createAuditLog({ database }: ModuleDeps) {
  return {
    /** Returns a page, newest first. `before`: the id before which the page begins, 0 for the first page. */
    async list(actor: Actor, filter: AuditFilter, before: number, limit: number): Promise<{ entries: AuditEntry[]; next: number | null }> {
      assertCan(actor, "audit.read", {}, "Only owners can read the audit log.");
      const db = database.read;
      let query = db.selectFrom("audit").selectAll().where("organisation_id", "=", actor.organisationId);
      const { accountId, group, from, to } = filter;
      if (before > 0) query = query.where("id", "<", before);
      if (accountId !== undefined) query = query.where(({ or, eb }) => or([eb("account_id", "=", accountId), eb("target", "=", `account:${accountId}`)]));
      if (group !== undefined)
        query = query.where(
          "action",
          "in",
          Object.entries(AUDIT_ACTIONS).flatMap(([action, description]) => (description.group === group ? [action] : [])),
        );
      if (from !== undefined) query = query.where("created_at", ">=", from);
      if (to !== undefined) query = query.where("created_at", "<", to);
      const found = await query
        .orderBy("id", "desc")
        .limit(limit + 1)
        .execute();
      const { rows, next } = toPage(found, limit);

      const idsOf = (ids: (number | null)[]) => [...new Set(ids.filter((id) => id !== null))];
      const accountIds = idsOf(rows.flatMap((row) => [row.account_id, concernedAccount(parseDetail(row))]));
      const tokenIds = idsOf(rows.map(({ token_id }) => token_id));
      const accounts =
        accountIds.length === 0
          ? []
          : await db
              .selectFrom("accounts")
              .select(["id", "username"])
              .where("id", "in", accountIds)
              .where("organisation_id", "=", actor.organisationId)
              .execute();
      const tokens = tokenIds.length === 0 ? [] : await db.selectFrom("api_tokens").select(["id", "name"]).where("id", "in", tokenIds).execute();
      const accountById = new Map(accounts.map((account) => [account.id, account]));
      const tokenById = new Map(tokens.map((token) => [token.id, token]));
      const targets = await loadTargets(db, rows);
      const entries = rows.map((row): AuditEntry => {
        const { account_id: _, ...detail } = parseDetail(row);
        const about = concernedAccount(parseDetail(row));
        const target = targets.get(row.target);
        return {
          id: row.id,
          created_at: iso(row.created_at),
          action: row.action,
          ...describeAuditAction(row.action),
          account: accountById.get(row.account_id ?? 0) ?? null,
          api_token: tokenById.get(row.token_id ?? 0) ?? null,
          address: row.address,
          target: { ...parseTarget(row.target), name: target?.name ?? null, project_id: target?.projectId ?? null, file_id: target?.fileId ?? null },
          about: about === null ? null : (accountById.get(about) ?? null),
          detail,
        };
      });
      return { entries, next };
    },
  };
}
