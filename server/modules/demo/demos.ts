/** Demo status, start and removal for owners. */
import { DEMO_STEPS, type Demo } from "../../../contract/operations/demo.ts";
import { assertCan, type Actor } from "../../access/access.ts";
import type { ModuleDeps } from "../../access/deps.ts";
import type { DemoRemoval } from "./remove-demo.ts";
import { loadDemoContents } from "./contents.ts";
import { findDemo, isRunning, claimRun } from "./run.ts";

/** Starts the demo in the background; if it fails, the failure is stored in the run. */
export type StartDemo = (run: { organisationId: number; ownerId: number; token: string }) => void;

const INTERRUPTED = "It was interrupted.";

export type Demos = ReturnType<typeof createDemos>;

export function createDemos({ database, clock }: Pick<ModuleDeps, "database" | "clock">, removal: Pick<DemoRemoval, "request">) {
  async function status(organisationId: number): Promise<Demo> {
    const row = await findDemo(database.read, organisationId);
    if (!row) {
      const project = await database.read
        .selectFrom("projects")
        .innerJoin("teams", "teams.id", "projects.team_id")
        .select("projects.id")
        .where("organisation_id", "=", organisationId)
        .where("projects.deleted_at", "is", null)
        .limit(1)
        .executeTakeFirst();
      return { state: "none", possible: project === undefined, step: null, progress: 0, project_id: null, failure: null, contents: null };
    }
    const running = isRunning(row, clock.now());
    const state = row.state === "running" && !running ? "failed" : row.state;
    const isRemoval = state === "removing" || state === "removal_failed";
    return {
      state,
      possible: state === "failed",
      step: running ? (DEMO_STEPS.find((step) => step === row.step) ?? null) : null,
      progress: row.progress / 1_000,
      project_id: row.project_id,
      failure: state === "failed" ? (row.failure ?? INTERRUPTED) : isRemoval ? row.failure : null,
      contents: state === "running" || state === "removing" ? null : await loadDemoContents(database.read, row),
    };
  }
  const denialReason = "Only owners can create or remove the demo.";
  return {
    status(actor: Actor): Promise<Demo> {
      assertCan(actor, "demo.make", {}, denialReason);
      return status(actor.organisationId);
    },
    /** Calls `start` if this call claimed the run. */
    async begin(actor: Actor, start: StartDemo): Promise<Demo> {
      assertCan(actor, "demo.make", {}, denialReason);
      const token = await claimRun(database, clock.now(), actor.organisationId, false);
      if (token !== null) start({ organisationId: actor.organisationId, ownerId: actor.accountId, token });
      return status(actor.organisationId);
    },
    async remove(actor: Actor): Promise<Demo> {
      assertCan(actor, "demo.make", {}, denialReason);
      await removal.request(actor);
      return status(actor.organisationId);
    },
  };
}
