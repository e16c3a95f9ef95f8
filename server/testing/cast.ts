/** The world that most API tests share: two organisations, a person of every role, projects seen and not seen. */
import * as chat from "../../contract/operations/chat.ts";
import * as files from "../../contract/operations/files.ts";
import * as projects from "../../contract/operations/projects.ts";
import * as teams from "../../contract/operations/teams.ts";
import type { Engine } from "../db/database.ts";
import type { Caller } from "./client.ts";
import { fetcherOfOneFile, processed, upload } from "./files.ts";
import { foundOther, join, setUpOwner, type Person } from "./people.ts";
import { madeOnce, templatesFolder, type Template } from "./templates.ts";
import { startWorld, templateOf, type World, type WorldOptions } from "./world.ts";

/** A team with a group, a project in it, and in that a message and a file. */
export interface Place {
  team: number;
  group: number;
  project: number;
  message: number;
  /** The project's root folder, a folder in it, and in that a processed audio file that the owner uploaded. */
  root: number;
  folder: number;
  file: number;
}

export interface Cast {
  world: World;
  /** In the project `home`; owner and admin see it without being in it (the owner made it). */
  owner: Person;
  admin: Person;
  member: Person;
  guest: Person;
  /** Of the same organisation and team, but only in the project `next`. */
  neighbour: Person;
  guestNextDoor: Person;
  /** Of another organisation. */
  foreignOwner: Person;
  foreignAdmin: Person;
  foreignMember: Person;
  foreignGuest: Person;
  home: Place;
  /** Another project of the same team. */
  next: Place;
  /** Another team of the same organisation; only owner and admin see it. */
  apart: Place;
  /** Of the other organisation. */
  foreign: Place;
}

export async function writeMessage(world: World, by: Caller, project: number, body: string): Promise<number> {
  return (await world.call(by, chat.sendMessage, { body: { project_id: project, body } })).answer.data.id;
}

async function furnish(world: World, by: Caller, team: number, name: string): Promise<Place> {
  const group = (await world.call(by, teams.createGroup, { body: { team_id: team, name: `${name} group` } })).answer.data.id;
  const { id: project, root_folder_id } = (await world.call(by, projects.createProject, { body: { team_id: team, group_id: group, name } })).answer.data;
  const root = root_folder_id ?? 0;
  const folder = (await world.call(by, files.makeFolder, { body: { parent_id: root, name: "Mixes" } })).answer.data.id;
  const file = await upload(world, by, { parent: folder });
  await processed(world, file);
  return { team, group, project, message: await writeMessage(world, by, project, `Welcome to ${name}`), root, folder, file };
}

async function firstTeam(world: World, by: Caller): Promise<number> {
  const [team] = (await world.call(by, teams.listTeams)).answer.data;
  if (!team) throw new Error("No team was made");
  return team.id;
}

/** Everybody and everything but the world in which they are. */
type Members = Omit<Cast, "world">;

async function makeMembers(world: World): Promise<Members> {
  const owner = await setUpOwner(world);
  const foreignOwner = await foundOther(world, "foreign owner");
  const team = await firstTeam(world, owner);
  const foreignTeam = await firstTeam(world, foreignOwner);
  const organisation = await world.database.read.selectFrom("teams").select("organisation_id").where("id", "=", team).executeTakeFirstOrThrow();
  const second = await world.database.write((tx) =>
    tx
      .insertInto("teams")
      .values({ organisation_id: organisation.organisation_id, name: "Apart", created_at: world.clock.now() })
      .returning("id")
      .executeTakeFirstOrThrow(),
  );
  const home = await furnish(world, owner, team, "home");
  const next = await furnish(world, owner, team, "next");
  const apart = await furnish(world, owner, second.id, "apart");
  const foreign = await furnish(world, foreignOwner, foreignTeam, "foreign");
  return {
    home,
    next,
    apart,
    foreign,
    owner,
    foreignOwner,
    admin: await join(world, owner, "admin", { team, role: "admin" }),
    member: await join(world, owner, "member", { team, role: "member", projects: [home.project] }),
    guest: await join(world, owner, "guest", { team, role: "guest", projects: [home.project] }),
    neighbour: await join(world, owner, "neighbour", { team, role: "member", projects: [next.project] }),
    guestNextDoor: await join(world, owner, "guest next door", { team, role: "guest", projects: [next.project] }),
    foreignAdmin: await join(world, foreignOwner, "foreign admin", { team: foreignTeam, role: "admin" }),
    foreignMember: await join(world, foreignOwner, "foreign member", { team: foreignTeam, role: "member", projects: [foreign.project] }),
    foreignGuest: await join(world, foreignOwner, "foreign guest", { team: foreignTeam, role: "guest", projects: [foreign.project] }),
  };
}

const templateOfCast = (engine: Engine): Promise<Template & { members: Members }> =>
  madeOnce(`cast-${engine}`, async () => {
    const world = await startWorld(engine, { fetcher: fetcherOfOneFile });
    const members = await makeMembers(world);
    return { members, ...(await templateOf(world, `${templatesFolder()}/cast-${engine}`)) };
  });

/** A copy of its own for each caller. */
export async function startCast(engine: Engine, options: WorldOptions = {}): Promise<Cast> {
  const { members, ...template } = await templateOfCast(engine);
  return { ...members, world: await startWorld(engine, { fetcher: fetcherOfOneFile, template, ...options }) };
}
