/** Adds address and API token to audit entries, indexes for reading the log, and an action for each kind of change to an account. */
import { sql } from "kysely";
import type { Migration } from "./migration.ts";

export const auditLog: Migration = {
  name: "013-audit-log",
  async up(tx) {
    await tx.schema.alterTable("audit").addColumn("address", "text").execute();
    await tx.schema.alterTable("audit").addColumn("token_id", "bigint").execute();
    await sql`create index audit_account on audit (organisation_id, account_id, id)`.execute(tx);
    await sql`create index audit_target on audit (organisation_id, target, id)`.execute(tx);
    await sql`create index audit_age on audit (created_at)`.execute(tx);
    await sql`update audit set action = case
        when detail like '%"role"%' then 'account.role_changed'
        when detail like '%"disabled":true%' then 'account.disabled'
        else 'account.enabled'
      end where action = 'account.managed'`.execute(tx);
  },
};
