/** Writes audit entries in the transaction of the change: actor, action and target. `contract/audit.ts` lists all actions. */
import type { AuditAction, AuditTarget } from "../../contract/audit.ts";
import type { Tx } from "../db/schema.ts";
import type { Actor } from "./access.ts";

export type AuditTargetRef = `${AuditTarget}:${number}`;

export interface AuditInput {
  organisationId: number;
  /** null: the command line, or a request without a sign-in. */
  accountId: number | null;
  action: AuditAction;
  target: AuditTargetRef;
  /** IP address of the request. */
  address?: string | null;
  tokenId?: number | null;
  /** Must not contain a secret or the text of a message. `account_id` names another person whom the action concerns. */
  detail?: Record<string, unknown>;
}

export async function audit(tx: Tx, now: number, { organisationId, accountId, action, target, address = null, tokenId = null, detail = {} }: AuditInput) {
  await tx
    .insertInto("audit")
    .values({
      organisation_id: organisationId,
      account_id: accountId,
      action,
      target,
      address,
      token_id: tokenId,
      detail: JSON.stringify(detail),
      created_at: now,
    })
    .execute();
}

/** Writes an audit entry of the actor's own action. */
export const auditActor = (
  tx: Tx,
  now: number,
  { organisationId, accountId, address, tokenId }: Actor,
  action: AuditAction,
  target: AuditTargetRef,
  detail: Record<string, unknown> = {},
): Promise<void> => audit(tx, now, { organisationId, accountId, action, target, address, tokenId, detail });
