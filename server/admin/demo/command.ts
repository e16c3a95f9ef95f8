/** `npm run admin -- demo`. */
import { randomBytes } from "node:crypto";
import type { DemoStep } from "../../../contract/operations/demo.ts";
import { demoOf, takeRun } from "../../domain/demo/run.ts";
import { accountNamed, type Command, type World } from "../command.ts";
import { UsageError } from "../usage-error.ts";
import { CAST, PEOPLE } from "./story/story.ts";

const WORDS: Record<DemoStep, string> = {
  people: "Inviting six people",
  songs: "Playing four songs",
  chat: "Living three weeks of chat",
  listening: "Listening to everything",
};

/** One line for each step, on the error stream: the output is for who reads the result. */
function teller(): (step: DemoStep, share: number) => void {
  const told = new Set<DemoStep>();
  return (step) => {
    if (told.has(step)) return;
    told.add(step);
    console.error(`${WORDS[step]} …`);
  };
}

async function ownerOf(world: World, name: string | undefined) {
  const { read } = world.database;
  const owner = name
    ? await accountNamed(world, name)
    : await read.selectFrom("accounts").selectAll().where("role", "=", "owner").where("disabled_at", "is", null).orderBy("id").limit(1).executeTakeFirst();
  if (owner && owner.role !== "owner") throw new UsageError(`${owner.username} is not an owner.`);
  return owner;
}

export const DEMO: Command = {
  usage: "demo [--username OWNER]",
  about: "Adds a sample with four songs, six people and three weeks of chat. Makes the organisation too where there is none. What was interrupted goes on.",
  required: [],
  optional: ["username"],
  async run(world, options) {
    const { database, clock, config, masterKey } = world;
    const lines: string[] = [];
    let owner = await ownerOf(world, options.username);
    if (!owner) {
      const password = randomBytes(12).toString("base64url");
      const { username, email } = PEOPLE.ana;
      owner = await world.services.signIn.foundOrganisation({ organisation: "Northlight Audio", username, email, password });
      lines.push(`Created the organisation Northlight Audio with its owner ${username} <${email}>.`, `Her password: ${password}`);
    }
    const organisationId = owner.organisation_id;
    const token = await takeRun(database, clock.time, organisationId, true);
    if (token === null) {
      const there = await demoOf(database.read, organisationId);
      throw new UsageError(
        there?.state === "done" ? "The demo is already there." : "The demo is being made right now. If that was interrupted, try again in a minute.",
      );
    }
    // The whole service stands behind it: loaded with the rest, it would double what every other command takes to start.
    const { makeDemo } = await import("./make.ts");
    const made = await makeDemo({ config, database, masterKey, organisationId, ownerId: owner.id, token, listens: "maker", progress: teller() });
    lines.push(`Added ${made.projects} projects, and these people:`);
    for (const name of CAST) if (PEOPLE[name].email !== owner.email) lines.push(`  ${PEOPLE[name].username} <${PEOPLE[name].email}>`);
    return [...lines, `Their password: ${made.password}`, `Open ${world.publicUrl}/projects/${made.projectId}/chat`];
  },
};
