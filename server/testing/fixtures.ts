/** Fixtures for most API tests: two organizations, a person of every role, and projects they can and cannot see. */
import * as chat from "../../contract/operations/chat.ts";
import * as files from "../../contract/operations/files.ts";
import * as projects from "../../contract/operations/projects.ts";
import * as teams from "../../contract/operations/teams.ts";
import type { Engine } from "../db/database.ts";
import type { Caller } from "./client.ts";
import { singleFileFetcher, markProcessed, upload } from "./files.ts";
import { createOtherOrganization, joinTeam, setUpOwner, type Person } from "./people.ts";
import { createOncePerRun, templatesFolder, type Template } from "./templates.ts";
import { startTestApp, saveAsTemplate, type TestApp, type TestAppOptions } from "./test-app.ts";

/** A team with a group, a project in the group, and a message and a file in the project. */
export interface ProjectFixture {
  team: number;
  group: number;
  project: number;
  message: number;
  /** The project's root folder, a folder in it, and in that folder a processed audio file uploaded by the project's creator. */
  root: number;
  folder: number;
  file: number;
}

export interface Fixtures {
  testApp: TestApp;
  /** In the project `home`. Owner and admin see it through their role. */
  owner: Person;
  admin: Person;
  member: Person;
  guest: Person;
  /** In the same organization and team, but only in the project `next`. */
  neighbor: Person;
  guestNextDoor: Person;
  /** In another organization. */
  foreignOwner: Person;
  foreignAdmin: Person;
  foreignMember: Person;
  foreignGuest: Person;
  home: ProjectFixture;
  /** Another project of the same team. */
  next: ProjectFixture;
  /** In another team of the same organization; only owner and admin can see it. */
  apart: ProjectFixture;
  /** In the other organization. */
  foreign: ProjectFixture;
}

export async function createMessage(testApp: TestApp, caller: Caller, project: number, body: string): Promise<number> {
  return (await testApp.call(caller, chat.sendMessage, { body: { project_id: project, body } })).response.data.id;
}

async function createProjectFixture(testApp: TestApp, caller: Caller, team: number, name: string): Promise<ProjectFixture> {
  const group = (await testApp.call(caller, teams.createGroup, { body: { team_id: team, name: `${name} group` } })).response.data.id;
  const { id: project, root_folder_id } = (await testApp.call(caller, projects.createProject, { body: { team_id: team, group_id: group, name } })).response
    .data;
  const root = root_folder_id ?? 0;
  const folder = (await testApp.call(caller, files.createFolder, { body: { parent_id: root, name: "Mixes" } })).response.data.id;
  const file = await upload(testApp, caller, { parent: folder });
  await markProcessed(testApp, file);
  return { team, group, project, message: await createMessage(testApp, caller, project, `Welcome to ${name}`), root, folder, file };
}

export async function firstTeamId(testApp: TestApp, caller: Caller): Promise<number> {
  const [team] = (await testApp.call(caller, teams.listTeams)).response.data;
  if (!team) throw new Error("No team was made");
  return team.id;
}

/** All fixture data without the test app, so that it can be saved with a template. */
type FixtureRecords = Omit<Fixtures, "testApp">;

async function createFixtureRecords(testApp: TestApp): Promise<FixtureRecords> {
  const owner = await setUpOwner(testApp);
  const foreignOwner = await createOtherOrganization(testApp, "foreign owner");
  const team = await firstTeamId(testApp, owner);
  const foreignTeam = await firstTeamId(testApp, foreignOwner);
  const organisation = await testApp.database.read.selectFrom("teams").select("organisation_id").where("id", "=", team).executeTakeFirstOrThrow();
  const secondTeam = await testApp.database.write((tx) =>
    tx
      .insertInto("teams")
      .values({ organisation_id: organisation.organisation_id, name: "Apart", created_at: testApp.clock.now() })
      .returning("id")
      .executeTakeFirstOrThrow(),
  );
  const home = await createProjectFixture(testApp, owner, team, "home");
  const next = await createProjectFixture(testApp, owner, team, "next");
  const apart = await createProjectFixture(testApp, owner, secondTeam.id, "apart");
  const foreign = await createProjectFixture(testApp, foreignOwner, foreignTeam, "foreign");
  return {
    home,
    next,
    apart,
    foreign,
    owner,
    foreignOwner,
    admin: await joinTeam(testApp, owner, "admin", { team, role: "admin" }),
    member: await joinTeam(testApp, owner, "member", { team, role: "member", projects: [home.project] }),
    guest: await joinTeam(testApp, owner, "guest", { team, role: "guest", projects: [home.project] }),
    neighbor: await joinTeam(testApp, owner, "neighbor", { team, role: "member", projects: [next.project] }),
    guestNextDoor: await joinTeam(testApp, owner, "guest next door", { team, role: "guest", projects: [next.project] }),
    foreignAdmin: await joinTeam(testApp, foreignOwner, "foreign admin", { team: foreignTeam, role: "admin" }),
    foreignMember: await joinTeam(testApp, foreignOwner, "foreign member", { team: foreignTeam, role: "member", projects: [foreign.project] }),
    foreignGuest: await joinTeam(testApp, foreignOwner, "foreign guest", { team: foreignTeam, role: "guest", projects: [foreign.project] }),
  };
}

const createFixturesTemplate = (engine: Engine): Promise<Template & { records: FixtureRecords }> =>
  createOncePerRun(`fixtures-${engine}`, async () => {
    const testApp = await startTestApp(engine, { fetcher: singleFileFetcher });
    const records = await createFixtureRecords(testApp);
    return { records, ...(await saveAsTemplate(testApp, `${templatesFolder()}/fixtures-${engine}`)) };
  });

/** Starts a test app on its own copy of the fixtures. */
export async function createFixtures(engine: Engine, options: TestAppOptions = {}): Promise<Fixtures> {
  const { records, ...template } = await createFixturesTemplate(engine);
  return { ...records, testApp: await startTestApp(engine, { fetcher: singleFileFetcher, template, ...options }) };
}
