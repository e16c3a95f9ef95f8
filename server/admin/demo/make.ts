/** Makes the sample organisation's projects through the same services that serve people, with a clock that is set back. */
import type { Role } from "../../../contract/records.ts";
import type { Services } from "../../http/services.ts";
import { createAccount, demandFreeNames } from "../../domain/accounts/create.ts";
import { hashPassword } from "../../domain/accounts/passwords.ts";
import { joinTeam } from "../../domain/memberships.ts";
import type { Actor } from "../../domain/access.ts";
import type { Database } from "../../db/database.ts";
import { DAY } from "../../lib/clock.ts";
import { conflict } from "../../lib/faults.ts";
import { PEOPLE, PROJECTS, type DemoProject } from "./script.ts";

export interface DemoWorld {
  database: Database;
  services: Services;
  /** Moved back to the time of each message. */
  clock: { time: number };
  /** The owner for whom the sample is made. */
  owner: { id: number; organisationId: number };
  /** For the five sample people, so that a second browser can sign in as one of them. */
  password: string;
}

export interface DemoResult {
  projects: { id: number; name: string }[];
  messages: number;
  people: string[];
}

const actor = (accountId: number, organisationId: number, role: Role): Actor => ({
  accountId,
  organisationId,
  role,
  scopes: null,
  sessionId: null,
  tokenId: null,
  asked: new Set(),
});

/** Local time `at` on the day `day` days before `now`; never in the future. */
function moment(now: number, day: number, at: string): number {
  const date = new Date(now - day * DAY);
  const [hours = 0, minutes = 0] = at.split(":").map(Number);
  date.setHours(hours, minutes, 0, 0);
  return Math.min(date.getTime(), now);
}

async function people(world: DemoWorld): Promise<Map<string, Actor>> {
  const { database, owner, clock } = world;
  const hash = await hashPassword(world.password);
  const actors = new Map([["ana", actor(owner.id, owner.organisationId, "owner")]]);
  await database.write(async (tx) => {
    const team = await tx.selectFrom("teams").selectAll().where("organisation_id", "=", owner.organisationId).orderBy("id").executeTakeFirstOrThrow();
    for (const person of PEOPLE.slice(1)) {
      const account = await createAccount(tx, clock.time, {
        organisationId: owner.organisationId,
        role: person.role,
        username: person.username,
        email: person.email,
        passwordHash: hash,
      });
      await tx.updateTable("accounts").set({ user_info: person.about }).where("id", "=", account.id).execute();
      await joinTeam(tx, clock.time, team.id, account.id);
      actors.set(person.key, actor(account.id, owner.organisationId, person.role));
    }
  });
  return actors;
}

async function project(
  world: DemoWorld,
  actors: Map<string, Actor>,
  groups: Map<string, number>,
  teamId: number,
  now: number,
  one: DemoProject,
): Promise<{ id: number; messages: number }> {
  const { services, clock } = world;
  const by = (key: string): Actor =>
    actors.get(key) ??
    (() => {
      throw new Error(`Nobody in the sample is called ${key}`);
    })();
  const owner = by("ana");
  clock.time = moment(now, 21, "09:00");
  const created = await services.projects.create(
    owner,
    { teamId, groupId: one.group === null ? null : (groups.get(one.group) ?? null), name: one.name, description: one.description },
    null,
  );
  for (const key of one.people.slice(1)) await services.projects.addMember(owner, created.id, by(key).accountId);
  const ids: number[] = [];
  const named = new Map<string, number>();
  for (const line of one.lines) {
    // Never two messages at one moment, also where the day has not come that far yet.
    clock.time = Math.max(moment(now, line.day, line.at), clock.time + 1);
    const parentId = line.answers === undefined ? null : (named.get(line.answers) ?? null);
    const { row: message } = await services.chat.send(by(line.by), {
      projectId: created.id,
      body: line.text,
      parentId,
      clientId: null,
      attachmentIds: [],
      isAudioMessage: false,
    });
    ids.push(message.id);
    if (line.key) named.set(line.key, message.id);
  }
  clock.time = now;
  const lastRead = ids[ids.length - 1 - one.unread];
  if (lastRead !== undefined) for (const key of one.people) await services.readMarkers.moveReadMarker(by(key), created.id, lastRead);
  return { id: created.id, messages: ids.length };
}

/** Throws a 409 when the sample is already there; a name or address of a sample person that is taken likewise. */
export async function makeDemo(world: DemoWorld): Promise<DemoResult> {
  const now = world.clock.time;
  const { database, services, owner } = world;
  const teams = database.read.selectFrom("teams").select("id").where("organisation_id", "=", owner.organisationId);
  const there = await database.read
    .selectFrom("projects")
    .select("id")
    .where("name", "=", PROJECTS[0]?.name ?? "")
    .where("team_id", "in", teams)
    .executeTakeFirst();
  if (there) throw conflict("The sample project is already there.");
  const { id: teamId } = await teams.orderBy("id").executeTakeFirstOrThrow();
  for (const person of PEOPLE.slice(1)) await demandFreeNames(database.read, person, null);
  const actors = await people(world);
  const founder = actor(owner.id, owner.organisationId, "owner");
  const groups = new Map<string, number>();
  for (const name of new Set(PROJECTS.flatMap(({ group }) => group ?? []))) {
    groups.set(name, (await services.teams.createGroup(founder, { teamId, name, description: "" }, null)).id);
  }
  const made: DemoResult = { projects: [], messages: 0, people: PEOPLE.slice(1).map(({ username, email }) => `${username} <${email}>`) };
  for (const one of PROJECTS) {
    const { id, messages } = await project(world, actors, groups, teamId, now, one);
    made.projects.push({ id, name: one.name });
    made.messages += messages;
  }
  return made;
}
