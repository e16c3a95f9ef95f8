/** Makes the demo: a service over the same data whose clock is set back is asked, through its public API, to take in three weeks of a studio's life. */
import { listFileStatuses } from "../../../contract/operations/teams.ts";
import { buildApp } from "../../app.ts";
import type { Config } from "../../config.ts";
import type { Database } from "../../db/database.ts";
import type { DemoStep } from "../../../contract/operations/demo.ts";
import { openRun, type Run } from "../../domain/demo/run.ts";
import { SECOND } from "../../lib/clock.ts";
import { deriveKey } from "../../lib/secrets.ts";
import { createShelf, type Shelf } from "./assets.ts";
import { dismiss, gather, withToken, type Cast } from "./cast.ts";
import { listen, work } from "./listen.ts";
import { PROJECTS } from "./story/others.ts";
import { moment, openProject, tellProject } from "./tell.ts";

export interface Making {
  config: Config;
  database: Database;
  masterKey: Buffer;
  organisationId: number;
  ownerId: number;
  /** Of the run that was taken. */
  token: string;
  /** Who looks into the files: whoever makes the demo, or a service that runs. "nobody": they are not waited for (tests). */
  listens: "maker" | "service" | "nobody";
  progress?: (step: DemoStep, share: number) => void;
  /** Other bytes than the real ones (tests). */
  shelf?: Shelf;
}

export interface Made {
  projectId: number;
  projects: number;
  password: string;
}

const RENEW_EVERY_MS = 10 * SECOND;
/** Shares of the whole at which telling begins and ends. */
const [TELLING, TOLD] = [0.05, 0.6];
const LINES = PROJECTS.reduce((sum, { lines }) => sum + lines.length, 0);

/** The same for every run of one demo, so that no run need store it. */
const passwordOf = (masterKey: Buffer, { organisationId, beganAt }: Run): string =>
  deriveKey(masterKey, `demo ${organisationId} ${beganAt}`).toString("base64url").slice(0, 16);

/** Throws after it has told the run why. A run that was killed says nothing; the next one goes on where it stood. */
export async function makeDemo(making: Making): Promise<Made> {
  const { database, masterKey, organisationId } = making;
  const run = await openRun(database, organisationId, making.token);
  const cast: Partial<Cast> = {};
  let lost: unknown;
  const renewal = setInterval(() => void run.renew(Date.now()).catch((error: unknown) => (lost = error)), RENEW_EVERY_MS);
  // From the first file on: its sound is looked into while the next song is played.
  const stop = making.listens === "maker" ? await work(making) : async () => {};
  try {
    const tell = async (step: DemoStep, share: number): Promise<void> => {
      if (lost) throw lost;
      making.progress?.(step, share);
      await run.tell(step, share);
    };
    const password = passwordOf(masterKey, run);
    const projects = await perform(making, run, cast, password, tell);
    if (making.listens !== "nobody") await listen(database, projects, (share) => tell("listening", TOLD + (1 - TOLD) * share));
    const [projectId = 0] = projects;
    await run.done(projectId);
    return { projectId, projects: projects.length, password };
  } catch (error) {
    await run.fail((error as Error).message).catch(() => {});
    throw error;
  } finally {
    clearInterval(renewal);
    await stop();
    await dismiss({ database, run }, cast, Date.now());
  }
}

/** Answers the projects, the one to open first. */
async function perform(
  { config, database, masterKey, ownerId, shelf = createShelf() }: Making,
  run: Run,
  cast: Partial<Cast>,
  password: string,
  tell: (step: DemoStep, share: number) => Promise<void>,
): Promise<number[]> {
  const clock = { time: moment(run.beganAt, 21, "08:30"), now: () => clock.time };
  const quiet = { ...config, ratePerMinute: 0, logLevel: "silent" as const };
  const { server } = await buildApp({ config: quiet, database, masterKey, clock, clientFolder: "/nowhere" });
  try {
    await tell("people", 0);
    const teamId = await firstTeam(database, run.organisationId);
    const stage = { server, database, run, ownerId, publicUrl: config.publicUrl, password };
    const owner = (cast.owner = await withToken(stage, ownerId));
    const { ask } = owner;
    const statuses = new Map((await ask(listFileStatuses, { body: { team_id: teamId } })).data.map(({ id, title }) => [title, id]));
    const projects: number[] = [];
    for (const project of PROJECTS) projects.push(await openProject({ run, clock, teamId }, ask, project));
    const everybody = await gather(stage, { teamId, projectId: projects[0] ?? 0 }, Object.assign(cast, { owner }));
    let told = 0;
    const next = async (): Promise<void> => {
      told += 1;
      await tell("chat", TELLING + (TOLD - TELLING) * (told / LINES));
    };
    const heard: Shelf = {
      async bytes(name) {
        await tell("songs", TELLING + (TOLD - TELLING) * (told / LINES));
        return shelf.bytes(name);
      },
    };
    for (const [nth, project] of PROJECTS.entries())
      await tellProject({ run, cast: everybody, shelf: heard, clock, teamId, statuses, next }, project, projects[nth] ?? 0);
    return projects;
  } finally {
    await server.close();
  }
}

async function firstTeam(database: Database, organisationId: number): Promise<number> {
  const { id } = await database.read
    .selectFrom("teams")
    .select("id")
    .where("organisation_id", "=", organisationId)
    .orderBy("id")
    .limit(1)
    .executeTakeFirstOrThrow();
  return id;
}
