/** Writes audit records in the transaction of the change: actor, action (such as `token.created`) and target (such as `token:12`). */
import type { Tx } from "../db/schema.ts";
import type { Actor } from "./access.ts";

export interface AuditEntry {
  organisationId: number;
  /** null: the command line, or a request without a sign-in. */
  accountId: number | null;
  action: string;
  target: string;
  detail?: Record<string, unknown>;
}

export async function audit(tx: Tx, now: number, entry: AuditEntry): Promise<void> {
  await tx
    .insertInto("audit")
    .values({
      organisation_id: entry.organisationId,
      account_id: entry.accountId,
      action: entry.action,
      target: entry.target,
      detail: JSON.stringify(entry.detail ?? {}),
      created_at: now,
    })
    .execute();
}

/** Writes an audit record of the actor's own action. */
export const auditActor = (
  tx: Tx,
  now: number,
  { organisationId, accountId }: Actor,
  action: string,
  target: string,
  detail: Record<string, unknown> = {},
): Promise<void> => audit(tx, now, { organisationId, accountId, action, target, detail });
