/** Removes a demo as a job of the queue: a service that is killed goes on after its next start, and every step can be repeated. */
import type { Actor } from "../../access/access.ts";
import { auditActor } from "../../access/audit.ts";
import { acquireAdvisoryLock } from "../../db/engine-sql.ts";
import type { Row, Tx } from "../../db/schema.ts";
import { topicOf } from "../../events/log.ts";
import type { Job, Queue } from "../../jobs/queue.ts";
import { startWorker, type Worker } from "../../jobs/worker.ts";
import { DAY, SECOND } from "../../lib/clock.ts";
import { conflict, HttpError } from "../../lib/errors.ts";
import { eraseAccount, type EraseAccountDeps } from "../accounts/erase-account.ts";
import type { OnAgentDeleted } from "../agents/agents.ts";
import { publishUnread, publishUnreadOfProject } from "../notifications/notify.ts";
import { hideForErasing } from "../projects/hide-for-erasing.ts";
import type { ProjectErasure } from "../project-erasure/erase-project.ts";
import { findDemoIds } from "./contents.ts";
import { findDemo, isRunning } from "./run.ts";
import { PEOPLE } from "./story/story.ts";
import { DEMO_TOKEN_NAME } from "./users.ts";

/** Jobs in the database carry this kind, so it must not change. */
const REMOVAL_JOB = "demo.removal";
const LEASE_MS = 15 * SECOND;
const POLL_INTERVAL_MS = 10 * SECOND;

export interface DemoRemovalDeps extends Omit<EraseAccountDeps, "publishUnread"> {
  queue: Queue;
  projectErasure: ProjectErasure;
  onAgentDeleted: OnAgentDeleted;
}

export type DemoRemoval = ReturnType<typeof createDemoRemoval>;

export function createDemoRemoval(deps: DemoRemovalDeps) {
  const { database, clock, events, queue, projectErasure } = deps;
  const erase = (accountId: number) => eraseAccount({ ...deps, publishUnread: (tx, accountIds) => publishUnread(tx, events, accountIds) }, accountId);
  let worker: Worker | null = null;

  const setState = (tx: Tx, organisationId: number, changes: Partial<Row<"demos">>) =>
    tx.updateTable("demos").set(changes).where("organisation_id", "=", organisationId).execute();

  async function removeAgent(agentId: number): Promise<void> {
    await database.backgroundWrite((tx) => deps.onAgentDeleted(tx, agentId));
    // The rows of its subscriptions stay for their log; with the log gone, nothing needs them.
    await database.backgroundWrite(async (tx) => {
      const endpoints = tx.selectFrom("webhook_endpoints").select("id").where("agent_id", "=", agentId);
      const deliveries = tx.selectFrom("deliveries").select("id").where("endpoint_id", "in", endpoints);
      await tx.deleteFrom("delivery_attempts").where("delivery_id", "in", deliveries).execute();
      await tx.deleteFrom("deliveries").where("endpoint_id", "in", endpoints).execute();
      await tx.deleteFrom("agent_subscription_cursors").where("endpoint_id", "in", endpoints).execute();
      await tx.deleteFrom("webhook_endpoints").where("agent_id", "=", agentId).execute();
    });
    await erase(agentId);
  }

  /** Removes what belongs to the team rather than to a project, and what the demo has left with the real owner. */
  async function removeSettings(tx: Tx, demo: Row<"demos">): Promise<void> {
    const { templates, ruleTeams, groups } = await findDemoIds(tx, demo);
    const topic = topicOf.organisation(demo.organisation_id);
    for (const id of templates) {
      const { team_id } = await tx.selectFrom("metadata_templates").select("team_id").where("id", "=", id).executeTakeFirstOrThrow();
      await tx.deleteFrom("metadata_fields").where("template_id", "=", id).execute();
      await tx.deleteFrom("metadata_templates").where("id", "=", id).execute();
      await events.append(tx, topic, "metadata_templates.changed", { team_id });
    }
    for (const team_id of ruleTeams) {
      await tx.deleteFrom("delivery_rules").where("team_id", "=", team_id).execute();
      await events.append(tx, topic, "delivery_rules.changed", { team_id });
    }
    // A group with a project that is not of the demo stays.
    await tx
      .deleteFrom("project_groups")
      .where("id", "in", [0, ...groups])
      .where("id", "not in", tx.selectFrom("projects").select("group_id").where("group_id", "is not", null).$castTo<{ group_id: number }>())
      .execute();
    const accounts = tx.selectFrom("accounts").select("id").where("organisation_id", "=", demo.organisation_id);
    await tx
      .deleteFrom("api_tokens")
      .where("account_id", "in", accounts)
      .where("name", "=", DEMO_TOKEN_NAME)
      .where("expires_at", "=", demo.began_at + DAY)
      .execute();
    await tx.deleteFrom("idempotency").where("account_id", "in", accounts).where("key", "like", `demo-${demo.began_at}-%`).execute();
    const emails = Object.values(PEOPLE).map(({ email }) => email);
    await tx.deleteFrom("invites").where("organisation_id", "=", demo.organisation_id).where("email", "in", emails).execute();
  }

  /** Removes everything, in an order in which nothing refers to what is gone already. */
  async function run(organisationId: number, signal: AbortSignal): Promise<void> {
    const demo = await findDemo(database.read, organisationId);
    if (demo?.state !== "removing") return;
    const { projects, agents, accounts } = await findDemoIds(database.read, demo);
    const steps = [
      ...projects.map((id) => () => projectErasure.erase(id, { signal })),
      ...agents.map((id) => () => removeAgent(id)),
      ...accounts.map((id) => () => erase(id)),
    ];
    for (const [index, step] of steps.entries()) {
      signal.throwIfAborted();
      await step();
      // What an earlier attempt has removed counts as well.
      const progress = Math.max(demo.progress, Math.round(((index + 1) / (steps.length + 1)) * 1_000));
      await database.backgroundWrite((tx) => setState(tx, organisationId, { progress }));
    }
  }

  async function execute(job: Job, signal: AbortSignal): Promise<void> {
    const organisationId = job.subject_id;
    try {
      if (job.isExhausted) throw new Error("It was interrupted too often.");
      await run(organisationId, signal);
      await database.backgroundWrite(async (tx) => {
        if (!(await queue.finish(tx, clock.now(), job))) throw new Error("Another process has claimed the job.");
        const demo = await findDemo(tx, organisationId);
        if (!demo) return;
        await removeSettings(tx, demo);
        await tx.deleteFrom("demos").where("organisation_id", "=", organisationId).execute();
        // Pages load their projects and groups anew.
        const people = await tx.selectFrom("accounts").select("id").where("organisation_id", "=", organisationId).where("disabled_at", "is", null).execute();
        events.appendToAccounts(
          tx,
          people.map(({ id }) => id),
          "projects.changed",
          { project_id: demo.project_id ?? 1 },
        );
      });
    } catch (error) {
      if (signal.aborted) return await queue.release(clock.now(), job);
      const failure = (error as Error).message;
      await database.backgroundWrite(async (tx) => {
        // What people have to change first is not tried again.
        const retry = !job.isExhausted && !(error instanceof HttpError);
        if ((await queue.fail(tx, clock.now(), job, failure, retry)) === "ended") await setState(tx, organisationId, { state: "removal_failed", failure });
      });
      throw error;
    }
  }

  return {
    /** Begins the removal unless it is under way. Throws a 409 without a demo, while it is being created, and for people of the demo. */
    async request(actor: Actor): Promise<void> {
      const { organisationId, accountId } = actor;
      await database.write(async (tx) => {
        const now = clock.now();
        await acquireAdvisoryLock(tx, database.engine, `demo ${organisationId}`);
        const demo = await findDemo(tx, organisationId);
        if (!demo) throw conflict("There is no demo.");
        if (demo.state === "removing") return;
        if (isRunning(demo, now)) throw conflict("The demo is being created. Remove it once it is ready.");
        const { accounts, projects } = await findDemoIds(tx, demo);
        if (accounts.includes(accountId)) throw conflict("You are signed in as one of the demo's people. Sign in as an owner of your own to remove it.");
        await hideForErasing(tx, deps, projects);
        for (const id of projects) await publishUnreadOfProject(tx, events, id);
        await setState(tx, organisationId, { state: "removing", progress: 0, failure: null, lease_token: null, lease_until: null });
        await queue.enqueue(tx, now, { kind: REMOVAL_JOB, subject_id: organisationId, organisation_id: organisationId, account_id: accountId });
        await auditActor(tx, now, actor, "demo.removed", `organisation:${organisationId}`);
      });
      worker?.wake();
    },

    /** Processes requested removals, of this process and others. Returns a function that stops; an interrupted removal is continued later. */
    start(onError: (error: unknown) => void): () => Promise<void> {
      const started = startWorker({
        queue,
        clock,
        kind: REMOVAL_JOB,
        leaseMs: LEASE_MS,
        pollIntervalMs: POLL_INTERVAL_MS,
        onError,
        run: (job, signal) => execute(job, signal).catch(onError),
      });
      worker = started;
      return () => started.stop();
    },
  };
}
