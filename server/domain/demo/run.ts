/** One run of the demo: who makes it (a lease), how far it is, and what is there already, so that a later run goes on exactly there. */
import type { DemoStep } from "../../../contract/operations/demo.ts";
import type { Database } from "../../db/database.ts";
import { takeTurns } from "../../db/portable.ts";
import type { Row, Tx } from "../../db/schema.ts";
import { MINUTE } from "../../lib/clock.ts";
import { conflict } from "../../lib/faults.ts";
import { newSecret } from "../../lib/secrets.ts";

/** Whoever makes it renews this while it lasts; after it somebody else may go on. */
export const LEASE_MS = MINUTE;
const BEGUN_ELSEWHERE = "The demo is being made by somebody else meanwhile.";

/** `running`: nobody has let go of it yet. */
export const isRunning = ({ state, lease_until }: Row<"demos">, now: number): boolean => state === "running" && (lease_until ?? 0) > now;

export const demoOf = (db: Database["read"] | Tx, organisationId: number): Promise<Row<"demos"> | undefined> =>
  db.selectFrom("demos").selectAll().where("organisation_id", "=", organisationId).executeTakeFirst();

/** What stands in the way of a first run. */
async function demandQuiet(tx: Tx, organisationId: number, besideProjects: boolean): Promise<void> {
  const teams = tx.selectFrom("teams").select("id").where("organisation_id", "=", organisationId);
  const project = await tx.selectFrom("projects").select("id").where("team_id", "in", teams).limit(1).executeTakeFirst();
  if (project && !besideProjects)
    throw conflict("There are projects here already. The demo is for an organisation without any; npm run admin -- demo adds it beside them.");
  const endpoint = await tx
    .selectFrom("webhook_endpoints")
    .select("id")
    .where("organisation_id", "=", organisationId)
    .where("deleted_at", "is", null)
    .limit(1)
    .executeTakeFirst();
  // A file of a story that sets off somebody's real delivery would be no joke.
  if (endpoint) throw conflict("This organisation has webhooks, and the files of the demo would set them off. Delete the endpoints first, or use another one.");
}

/** Takes the run, a first or an unfinished one; null where it is under way or done. Throws a 409 where there must be none. */
export async function takeRun(database: Database, now: number, organisationId: number, besideProjects: boolean): Promise<string | null> {
  const token = newSecret();
  return database.write(async (tx) => {
    await takeTurns(tx, database.engine, `demo ${organisationId}`);
    const there = await demoOf(tx, organisationId);
    if (there && (there.state === "done" || isRunning(there, now))) return null;
    const taken = { state: "running" as const, failure: null, lease_token: token, lease_until: now + LEASE_MS };
    if (there) await tx.updateTable("demos").set(taken).where("organisation_id", "=", organisationId).execute();
    else {
      await demandQuiet(tx, organisationId, besideProjects);
      await tx
        .insertInto("demos")
        .values({ ...taken, organisation_id: organisationId, began_at: now, step: "people", progress: 0, made: "{}", project_id: null })
        .execute();
    }
    return token;
  });
}

export interface Run {
  beganAt: number;
  organisationId: number;
  /** What the story calls `name` as it was made by this or an earlier run, or by `make` now. */
  once(name: string, make: () => Promise<number>): Promise<number>;
  tell(step: DemoStep, share: number): Promise<void>;
  /** Throws where somebody else has it by now. */
  renew(now: number): Promise<void>;
  done(projectId: number): Promise<void>;
  fail(failure: string): Promise<void>;
}

/** The run that `takeRun` gave this token for. */
export async function openRun(database: Database, organisationId: number, token: string): Promise<Run> {
  const row = await demoOf(database.read, organisationId);
  if (!row || row.lease_token !== token) throw conflict(BEGUN_ELSEWHERE);
  const made = new Map(Object.entries(JSON.parse(row.made) as Record<string, number>));
  const change = (set: Partial<Row<"demos">>) =>
    database.write(async (tx) => {
      const changed = await tx.updateTable("demos").set(set).where("organisation_id", "=", organisationId).where("lease_token", "=", token).executeTakeFirst();
      if (Number(changed.numUpdatedRows) === 0) throw conflict(BEGUN_ELSEWHERE);
    });
  return {
    beganAt: row.began_at,
    organisationId,
    async once(name, make) {
      const there = made.get(name);
      if (there !== undefined) return there;
      const id = await make();
      made.set(name, id);
      await change({ made: JSON.stringify(Object.fromEntries(made)) });
      return id;
    },
    tell: (step, share) => change({ step, progress: Math.round(share * 1_000) }),
    renew: (now) => change({ lease_until: now + LEASE_MS }),
    done: (projectId) => change({ state: "done", progress: 1_000, project_id: projectId, lease_token: null, lease_until: null }),
    fail: (failure) => change({ state: "failed", failure, lease_token: null, lease_until: null }),
  };
}
