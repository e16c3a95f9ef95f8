import * as z from "zod/mini";
import { AUDIT_GROUP_NAMES, auditEntry } from "../audit.ts";
import { operation, page, pageQuery } from "../define-operation.ts";
import { AUDIT_RETENTION_DAYS } from "../limits.ts";
import { dateTime, idInPath, withDescription } from "../text.ts";

export const listAuditEntries = operation({
  method: "GET",
  path: "/api/v2/audit",
  group: "Audit log",
  summary: `List sign-ins and changes of the last ${AUDIT_RETENTION_DAYS} days, newest first`,
  source: "extension",
  scope: "admin",
  rule: "audit.read",
  cost: 2,
  query: z.object({
    ...pageQuery.shape,
    account_id: withDescription(z.optional(idInPath), "what this person did, and what was done to their account"),
    group: z.optional(z.enum(AUDIT_GROUP_NAMES)),
    from: withDescription(z.optional(dateTime), "happened at or after"),
    to: withDescription(z.optional(dateTime), "happened before"),
  }),
  response: page(auditEntry),
});
