/** `npm run admin -- demo`. */
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { DemoStep } from "../../contract/operations/demo.ts";
import { findDemo, claimRun } from "../modules/demo/run.ts";
import { PERSON_NAMES, PEOPLE } from "../modules/demo/story/story.ts";
import { HttpError } from "../lib/errors.ts";
import { type Command, CommandError, type CommandContext, findAccount, type Options, UsageError } from "./command.ts";

const POLL_INTERVAL_MS = 200;

const STEP_LABELS: Record<DemoStep, string> = {
  people: "Adding six people",
  songs: "Adding the songs",
  chat: "Writing chat history",
  listening: "Analyzing the files",
};

/** Logs one line per step to stderr, because stdout is for the result. */
function createStepLogger(): (step: DemoStep, share: number) => void {
  const loggedSteps = new Set<DemoStep>();
  return (step) => {
    if (loggedSteps.has(step)) return;
    loggedSteps.add(step);
    console.error(`${STEP_LABELS[step]} …`);
  };
}

async function findOwner(context: CommandContext, name: string | undefined) {
  const { read } = context.database;
  const owner = name
    ? await findAccount(context, name)
    : await read.selectFrom("accounts").selectAll().where("role", "=", "owner").where("disabled_at", "is", null).orderBy("id").limit(1).executeTakeFirst();
  if (owner && owner.role !== "owner") throw new UsageError(`${owner.username} is not an owner.`);
  return owner;
}

export const demoCommand: Command = {
  usage: "demo [--username OWNER] [--remove]",
  description:
    "Adds a demo with four songs, six people and three weeks of chat. Creates the organization if there is none. Resumes an interrupted run. With --remove: removes it with everything in it.",
  required: [],
  optional: ["username"],
  flags: ["remove"],
  async run(context, options) {
    if (options["remove"]) return removeDemo(context, options);
    const { database, clock, config, masterKey } = context;
    const lines: string[] = [];
    let owner = await findOwner(context, options.username);
    if (!owner) {
      const password = randomBytes(12).toString("base64url");
      const { username, email } = PEOPLE.ana;
      owner = await context.services.signIn.createOrganisation({ organisation: "Northlight Audio", username, email, password });
      lines.push(`Created the organization Northlight Audio with its owner ${username} <${email}>.`, `Her password: ${password}`);
    }
    const organisationId = owner.organisation_id;
    const token = await claimRun(database, clock.time, organisationId, true);
    if (token === null) {
      const existing = await findDemo(database.read, organisationId);
      throw new UsageError(
        existing?.state === "done" ? "The demo already exists." : "The demo is being created right now. If that was interrupted, try again in a minute.",
      );
    }
    // Imported on demand, because they load the whole service, which would double the startup time of every other command.
    const [{ createDemo }, { createOpenApp }] = await Promise.all([import("../modules/demo/create-demo.ts"), import("../app.ts")]);
    const result = await createDemo({
      config,
      database,
      masterKey,
      organisationId,
      ownerId: owner.id,
      token,
      openApp: createOpenApp({ database, masterKey }),
      processedBy: "demo",
      progress: createStepLogger(),
    });
    lines.push(`Added ${result.projects} projects, and these people:`);
    for (const name of PERSON_NAMES) if (PEOPLE[name].email !== owner.email) lines.push(`  ${PEOPLE[name].username} <${PEOPLE[name].email}>`);
    return [...lines, `Their password: ${result.password}`, `Open ${context.publicUrl}/projects/${result.projectId}/chat`];
  },
};

/** Removes the demo as a running service would, which may take part. */
async function removeDemo(context: CommandContext, options: Options): Promise<string[]> {
  const { database, services } = context;
  const owner = await findOwner(context, options["username"]);
  if (!owner) throw new UsageError("There is no organization yet.");
  const { id: accountId, organisation_id: organisationId, role } = owner;
  const actor = { accountId, organisationId, role, scopes: null, sessionId: null, tokenId: null, address: null, checkedRules: new Set<never>() };
  await services.demoRemoval.request(actor).catch((error: unknown) => {
    throw error instanceof HttpError ? new CommandError(error.message) : error;
  });
  console.error("Removing the demo …");
  let failure: unknown;
  const stop = services.demoRemoval.start((error) => (failure = error));
  try {
    for (;;) {
      const demo = await findDemo(database.read, organisationId);
      if (!demo) return ["The demo is removed. Projects, files and people that are not part of it are as they were."];
      if (failure || demo.state !== "removing")
        throw new CommandError(`The demo could not be removed: ${demo.failure ?? (failure as Error).message} Run the command again to continue.`);
      await sleep(POLL_INTERVAL_MS);
    }
  } finally {
    await stop();
  }
}
