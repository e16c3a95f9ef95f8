/** Inserts a demo in progress for tests; nothing actually builds it. */
import { LEASE_MS } from "../modules/demo/run.ts";
import type { TestApp } from "./test-app.ts";

async function loadOrganizationId(testApp: TestApp, accountId: number): Promise<number> {
  const row = await testApp.database.read.selectFrom("accounts").select("organisation_id").where("id", "=", accountId).executeTakeFirstOrThrow();
  return row.organisation_id;
}

/** Inserts a demo for the account's organization, running or failed. */
export async function insertDemo(testApp: TestApp, accountId: number, state: "running" | "failed" = "running"): Promise<number> {
  const organisation_id = await loadOrganizationId(testApp, accountId);
  const now = testApp.clock.now();
  await testApp.database.write(async (tx) => {
    await tx.deleteFrom("demos").where("organisation_id", "=", organisation_id).execute();
    const lease = state === "running" ? { lease_token: "test", lease_until: now + LEASE_MS } : { lease_token: null, lease_until: null };
    await tx
      .insertInto("demos")
      .values({
        ...lease,
        organisation_id,
        state,
        began_at: now,
        step: "chat",
        progress: 250,
        failure: state === "failed" ? "The disk is full." : null,
        made: "{}",
        project_id: null,
      })
      .execute();
  });
  return organisation_id;
}

export async function deleteDemo(testApp: TestApp, accountId: number): Promise<void> {
  const organizationId = await loadOrganizationId(testApp, accountId);
  await testApp.database.write((tx) => tx.deleteFrom("demos").where("organisation_id", "=", organizationId).execute());
}
