/** State of a demo run: its lease, its progress and the ids of what it created, so that a later run resumes exactly there. */
import type { DemoStep } from "../../../contract/operations/demo.ts";
import type { Database } from "../../db/database.ts";
import { acquireAdvisoryLock } from "../../db/engine-sql.ts";
import type { Row, Tx } from "../../db/schema.ts";
import { MINUTE } from "../../lib/clock.ts";
import { newSecret } from "../../lib/crypto.ts";
import { conflict } from "../../lib/errors.ts";

/** The process that creates the demo renews the lease while it works; after expiry another one may resume. */
export const LEASE_MS = MINUTE;
const RUN_CLAIMED_ELSEWHERE = "Another process is creating the demo.";

/** True while the run is claimed and its lease has not expired. */
export const isRunning = ({ state, lease_until }: Row<"demos">, now: number): boolean => state === "running" && (lease_until ?? 0) > now;

export const findDemo = (db: Database["read"] | Tx, organisationId: number): Promise<Row<"demos"> | undefined> =>
  db.selectFrom("demos").selectAll().where("organisation_id", "=", organisationId).executeTakeFirst();

/** Throws a 409 if the organization has webhooks, or projects unless `allowProjects` is set. */
async function assertNoProjectsOrWebhooks(tx: Tx, organisationId: number, allowProjects: boolean): Promise<void> {
  const teams = tx.selectFrom("teams").select("id").where("organisation_id", "=", organisationId);
  const project = await tx.selectFrom("projects").select("id").where("team_id", "in", teams).where("deleted_at", "is", null).limit(1).executeTakeFirst();
  if (project && !allowProjects) throw conflict("This organization already has projects. To add the demo anyway, run npm run admin -- demo.");
  const endpoint = await tx
    .selectFrom("webhook_endpoints")
    .select("id")
    .where("organisation_id", "=", organisationId)
    .where("deleted_at", "is", null)
    .limit(1)
    .executeTakeFirst();
  // Demo files must not trigger deliveries to real endpoints.
  if (endpoint)
    throw conflict("This organization has webhooks, which the demo's files would trigger. Delete the endpoints first, or use another organization.");
}

/** Claims a new or unfinished run and returns its lease token; null if it is running or done. Throws a 409 if projects or webhooks prevent a new run. */
export async function claimRun(database: Database, now: number, organisationId: number, allowProjects: boolean): Promise<string | null> {
  const token = newSecret();
  return database.write(async (tx) => {
    await acquireAdvisoryLock(tx, database.engine, `demo ${organisationId}`);
    const existing = await findDemo(tx, organisationId);
    if (existing && ((existing.state !== "failed" && existing.state !== "running") || isRunning(existing, now))) return null;
    const claim = { state: "running" as const, failure: null, lease_token: token, lease_until: now + LEASE_MS };
    if (existing) await tx.updateTable("demos").set(claim).where("organisation_id", "=", organisationId).execute();
    else {
      await assertNoProjectsOrWebhooks(tx, organisationId, allowProjects);
      await tx
        .insertInto("demos")
        .values({ ...claim, organisation_id: organisationId, began_at: now, step: "people", progress: 0, made: "{}", project_id: null })
        .execute();
    }
    return token;
  });
}

export interface DemoRun {
  beganAt: number;
  organisationId: number;
  /** Returns the id of the resource that the demo calls `name`. Calls `create` only if no attempt of this run has created the resource. */
  getOrCreate(name: string, create: () => Promise<number>): Promise<number>;
  reportProgress(step: DemoStep, fraction: number): Promise<void>;
  /** Throws if another process has claimed the run. */
  renewLease(now: number): Promise<void>;
  complete(projectId: number): Promise<void>;
  fail(failure: string): Promise<void>;
}

/** Opens the run for which `claimRun` returned this token. */
export async function openRun(database: Database, organisationId: number, token: string): Promise<DemoRun> {
  const row = await findDemo(database.read, organisationId);
  if (!row || row.lease_token !== token) throw conflict(RUN_CLAIMED_ELSEWHERE);
  const idsByName = new Map(Object.entries(JSON.parse(row.made) as Record<string, number>));
  const update = (set: Partial<Row<"demos">>) =>
    database.write(async (tx) => {
      const result = await tx.updateTable("demos").set(set).where("organisation_id", "=", organisationId).where("lease_token", "=", token).executeTakeFirst();
      if (Number(result.numUpdatedRows) === 0) throw conflict(RUN_CLAIMED_ELSEWHERE);
    });
  return {
    beganAt: row.began_at,
    organisationId,
    async getOrCreate(name, create) {
      const existingId = idsByName.get(name);
      if (existingId !== undefined) return existingId;
      const id = await create();
      idsByName.set(name, id);
      await update({ made: JSON.stringify(Object.fromEntries(idsByName)) });
      return id;
    },
    reportProgress: (step, fraction) => update({ step, progress: Math.round(fraction * 1_000) }),
    renewLease: (now) => update({ lease_until: now + LEASE_MS }),
    complete: (projectId) => update({ state: "done", progress: 1_000, project_id: projectId, lease_token: null, lease_until: null }),
    fail: (failure) => update({ state: "failed", failure, lease_token: null, lease_until: null }),
  };
}
