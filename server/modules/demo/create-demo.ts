/**
 * Creates the demo: runs a service with a backdated clock over the same data and fills it with three weeks of a studio's
 * work through its public API.
 */
import type { FastifyInstance } from "fastify";
import { setTimeout as sleep } from "node:timers/promises";
import type { DemoStep } from "../../../contract/operations/demo.ts";
import { listFileStatuses } from "../../../contract/operations/teams.ts";
import type { Config } from "../../config.ts";
import type { Database } from "../../db/database.ts";
import { MINUTE, SECOND, type Clock } from "../../lib/clock.ts";
import { deriveKey } from "../../lib/crypto.ts";
import { awaitAgentRun, createDemoAgent } from "./agent.ts";
import { openAssets, type Assets } from "./assets.ts";
import { createDeliveryRules } from "./delivery-rules.ts";
import { createReleaseTemplate } from "./metadata.ts";
import { openRun, type DemoRun } from "./run.ts";
import { createEmptyProject, seedProject } from "./seed.ts";
import { storyTime } from "./story-time.ts";
import { PROJECTS } from "./story/projects.ts";
import { cleanUp, createOwnerSession, createUsers, createDemoUser, type DemoUsers } from "./users.ts";

export interface CreateDemoOptions {
  config: Config;
  database: Database;
  masterKey: Buffer;
  organisationId: number;
  ownerId: number;
  /** Token of the claimed run. */
  token: string;
  /** Who processes the files: this run itself, or the running service. "nobody" does not wait for them (tests). */
  processedBy: "demo" | "service" | "nobody";
  progress?: (step: DemoStep, share: number) => void;
  openApp: OpenApp;
  /** Stops the run between two steps and leaves it to be resumed. */
  signal?: AbortSignal;
  /** Replaces the real assets (tests). */
  assets?: Assets;
}

/** Opens an app over the same data, beside the running one if there is one. Modules must not import the composition root, so it passes this function in. */
export type OpenApp = (options: { config: Config; clock?: Clock }) => Promise<App>;

interface App {
  server: FastifyInstance;
  startMedia(): () => Promise<void>;
  startAgentRuns(): () => Promise<void>;
}

export interface DemoResult {
  projectId: number;
  projects: number;
  password: string;
}

const LEASE_RENEWAL_MS = 10 * SECOND;
const POLL_INTERVAL_MS = 400;
/** How long the demo waits for its files. The remaining ones are processed later, visibly to users. */
const PROCESSING_TIMEOUT_MS = 3 * MINUTE;
/** Overall progress at which seeding starts and ends. */
const [SEED_START, SEED_END] = [0.05, 0.6];
const STEP_COUNT = PROJECTS.reduce((sum, { steps }) => sum + steps.length, 0);

/** Derives the same password for every attempt of one demo, so that it need not be stored. */
const derivePassword = (masterKey: Buffer, { organisationId, beganAt }: DemoRun): string =>
  deriveKey(masterKey, `demo ${organisationId} ${beganAt}`).toString("base64url").slice(0, 16);

/** Records an error in the run before throwing it. A killed attempt records nothing, and the next one resumes where it stopped. */
export async function createDemo(options: CreateDemoOptions): Promise<DemoResult> {
  const { database, masterKey, organisationId } = options;
  const run = await openRun(database, organisationId, options.token);
  const users: Partial<DemoUsers> = {};
  let renewalError: unknown;
  const renewalTimer = setInterval(() => void run.renewLease(Date.now()).catch((error: unknown) => (renewalError = error)), LEASE_RENEWAL_MS);
  const stopWorkers = options.processedBy === "demo" ? await startWorkers(options) : async () => {};
  try {
    const reportProgress = async (step: DemoStep, share: number): Promise<void> => {
      options.signal?.throwIfAborted();
      if (renewalError) throw renewalError;
      options.progress?.(step, share);
      await run.reportProgress(step, share);
    };
    const password = derivePassword(masterKey, run);
    const { projects, agentRunId } = await seedProjects(options, run, users, password, reportProgress);
    if (options.processedBy !== "nobody") {
      await awaitProcessing(database, projects, (share) => reportProgress("listening", SEED_END + (1 - SEED_END) * share));
      await awaitAgentRun(database, agentRunId);
    }
    const [projectId = 0] = projects;
    await run.complete(projectId);
    return { projectId, projects: projects.length, password };
  } catch (error) {
    if (!options.signal?.aborted) await run.fail((error as Error).message).catch(() => {});
    throw error;
  } finally {
    clearInterval(renewalTimer);
    await stopWorkers();
    await cleanUp({ database, run }, users, Date.now());
  }
}

/** Returns the project ids, of which the demo opens the first one, and the run of the agent's task (0: none). */
async function seedProjects(
  { config, database, ownerId, assets = openAssets(), openApp }: CreateDemoOptions,
  run: DemoRun,
  users: Partial<DemoUsers>,
  password: string,
  reportProgress: (step: DemoStep, share: number) => Promise<void>,
): Promise<{ projects: number[]; agentRunId: number }> {
  const clock = { time: storyTime(run.beganAt, 21, "08:30"), now: () => clock.time };
  // The people of the demo have addresses that do not exist.
  const silentConfig = { ...config, maxRequestsPerMinute: 0, logLevel: "silent" as const, mail: null };
  const { server } = await openApp({ config: silentConfig, clock });
  try {
    await reportProgress("people", 0);
    const teamId = await loadFirstTeamId(database, run.organisationId);
    const context = { server, database, run, ownerId, publicUrl: config.publicUrl, password };
    const owner = (users.owner = await createDemoUser(context, ownerId));
    const { call } = owner;
    const statuses = new Map((await call(listFileStatuses, { body: { team_id: teamId } })).data.map(({ id, title }) => [title, id]));
    const projects: number[] = [];
    for (const project of PROJECTS) projects.push(await createEmptyProject({ run, clock, teamId }, call, project));
    const seededUsers = await createUsers(context, { teamId, projectId: projects[0] ?? 0 }, Object.assign(users, { owner }));
    let seededSteps = 0;
    const onStepDone = async (): Promise<void> => {
      seededSteps += 1;
      await reportProgress("chat", SEED_START + (SEED_END - SEED_START) * (seededSteps / STEP_COUNT));
    };
    const trackedAssets: Assets = {
      async bytes(name) {
        await reportProgress("songs", SEED_START + (SEED_END - SEED_START) * (seededSteps / STEP_COUNT));
        return assets.bytes(name);
      },
    };
    const releaseTemplate = await createReleaseTemplate(run, owner.call, teamId);
    await createDeliveryRules(owner.call, teamId);
    for (const [index, project] of PROJECTS.entries())
      await seedProject(
        { run, users: seededUsers, assets: trackedAssets, clock, teamId, statuses, releaseTemplate, onStepDone },
        project,
        projects[index] ?? 0,
      );
    const agent = { run, users: seededUsers, ownerInBrowser: await createOwnerSession(context), projectId: projects[0] ?? 0, statuses };
    return { projects, agentRunId: await createDemoAgent(agent) };
  } finally {
    await server.close();
  }
}

/**
 * Processes files and runs the tasks of agents as the service does, with the real clock, by which leases and attempts are measured. If a service is
 * running too, each of the two processes the files that the other has not claimed.
 */
async function startWorkers({ config, openApp }: CreateDemoOptions): Promise<() => Promise<void>> {
  const app = await openApp({ config: { ...config, logLevel: "silent" } });
  const stops = [app.startMedia(), app.startAgentRuns()];
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
    await app.server.close();
  };
}

/** Waits until the demo's files are processed, so that the chat shows waveforms when it is opened. */
async function awaitProcessing(database: Database, projects: readonly number[], onProgress: (share: number) => Promise<void>): Promise<void> {
  const deadline = Date.now() + PROCESSING_TIMEOUT_MS;
  for (;;) {
    const states = await database.read
      .selectFrom("file_versions")
      .innerJoin("files", "files.id", "file_versions.file_id")
      .select("transcoding_status")
      .where("files.project_id", "in", projects)
      .execute();
    const processedCount = states.filter(({ transcoding_status: state }) => state === "transcoded" || state === "failed").length;
    await onProgress(states.length === 0 ? 1 : processedCount / states.length);
    if (processedCount === states.length || Date.now() > deadline) return;
    await sleep(POLL_INTERVAL_MS);
  }
}

async function loadFirstTeamId(database: Database, organisationId: number): Promise<number> {
  const { id } = await database.read
    .selectFrom("teams")
    .select("id")
    .where("organisation_id", "=", organisationId)
    .orderBy("id")
    .limit(1)
    .executeTakeFirstOrThrow();
  return id;
}
