/** Creates what several endpoint cases act upon, and lists the requests for what their callers cannot access. */
import { LIMITS } from "../../../contract/limits.ts";
import * as files from "../../../contract/operations/files.ts";
import { getSession } from "../../../contract/operations/session.ts";
import * as webhooks from "../../../contract/operations/webhooks.ts";
import { markProcessed, upload } from "../files.ts";
import type { Fixtures } from "../fixtures.ts";
import { createSession, joinTeam, type Person } from "../people.ts";
import { registerEndpoint } from "../webhooks.ts";
import { badLine, type EndpointCase } from "./case.ts";

/** A member for cases to act upon, created once per set of fixtures, and signed in again if a case has ended the session. */
const extraMembers = new WeakMap<Fixtures, Promise<Person>>();
export async function extraMember(fixtures: Fixtures): Promise<Person> {
  const { testApp, owner, home } = fixtures;
  const created = extraMembers.get(fixtures) ?? joinTeam(testApp, owner, "extra", { team: home.team, role: "member", projects: [home.project] });
  extraMembers.set(fixtures, created);
  const person = await created;
  if ((await testApp.call(person, getSession)).status === 200) return person;
  const renewed = { ...person, ...(await createSession(testApp, person.id, "extra")), id: person.id };
  extraMembers.set(fixtures, Promise.resolve(renewed));
  return renewed;
}

export const createFile = (fixtures: Fixtures, name = "take.wav"): Promise<number> =>
  upload(fixtures.testApp, fixtures.member, { parent: fixtures.home.folder, name });

export async function createProcessedFile(fixtures: Fixtures): Promise<number> {
  const id = await createFile(fixtures);
  await markProcessed(fixtures.testApp, id);
  return id;
}

let folderCount = 0;
/** Creates a folder in the root folder of `home`, as a member, unless given otherwise. */
export async function createCaseFolder(
  { testApp, member, home }: Fixtures,
  { caller = member, parent = home.root, ...body }: { caller?: Person; parent?: number; task_load_protection?: boolean } = {},
): Promise<number> {
  const reply = await testApp.call(caller, files.createFolder, { body: { parent_id: parent, name: `Folder of a case ${++folderCount}`, ...body } });
  return reply.response.data.id;
}

export const taskInput = { title: "Bounce the stems" };
export const BAD_TITLE = badLine(LIMITS.task_title_characters);

type ExtraMembers = (fixtures: Fixtures) => object | Promise<object>;
/** Files that the caller cannot access, in requests that need these extra members. */
export const inaccessibleFilesInBody = (extraMembersFor: ExtraMembers = () => ({})): EndpointCase["rejectedRequests"] => [
  ["a file in another project of the same team", async (fixtures) => ({ body: { file_id: fixtures.next.file, ...(await extraMembersFor(fixtures)) } }), 404],
  ["a file of another organization", async (fixtures) => ({ body: { file_id: fixtures.foreign.file, ...(await extraMembersFor(fixtures)) } }), 404],
  ["a file that does not exist", async (fixtures) => ({ body: { file_id: 999_999, ...(await extraMembersFor(fixtures)) } }), 404],
];
export const inaccessibleFilesInPath = (extraParams: (fixtures: Fixtures) => Record<string, unknown> = () => ({})): EndpointCase["rejectedRequests"] => [
  ["a file in another project of the same team", (fixtures) => ({ params: { file_id: fixtures.next.file, ...extraParams(fixtures) }, body: {} }), 404],
  ["a file of another organization", (fixtures) => ({ params: { file_id: fixtures.foreign.file, ...extraParams(fixtures) }, body: {} }), 404],
];

/** A webhook endpoint that no case changes, so that few are created. */
const sharedEndpoints = new WeakMap<Fixtures, Promise<number>>();
export function sharedEndpoint(fixtures: Fixtures): Promise<number> {
  const created = sharedEndpoints.get(fixtures) ?? registerEndpoint(fixtures.testApp, fixtures.owner, { event_types: ["task.closed"] });
  sharedEndpoints.set(fixtures, created);
  return created;
}

async function createDeletedEndpoint({ testApp, owner }: Fixtures): Promise<number> {
  const endpoint_id = await registerEndpoint(testApp, owner);
  await testApp.call(owner, webhooks.deleteWebhookEndpoint, { params: { endpoint_id } });
  return endpoint_id;
}
export const inaccessibleEndpoints = (body?: unknown): EndpointCase["rejectedRequests"] => [
  [
    "an endpoint of another organization",
    async ({ testApp, foreignOwner }) => ({ params: { endpoint_id: await registerEndpoint(testApp, foreignOwner) }, body }),
    404,
  ],
  ["a deleted endpoint", async (fixtures) => ({ params: { endpoint_id: await createDeletedEndpoint(fixtures) }, body }), 404],
  ["an endpoint that does not exist", () => ({ params: { endpoint_id: 999_999 }, body }), 404],
];
