/** Creates people without access, files whose new versions are refused, reset links in every state, and audit entries of every kind. */
import { createPasswordReset, createToken, updateMember } from "../../contract/operations/accounts.ts";
import { updateFile } from "../../contract/operations/files-view.ts";
import { createProject as createProjectOperation } from "../../contract/operations/projects.ts";
import { createWebhookEndpoint } from "../../contract/operations/webhooks.ts";
import { call, createProject, firstTeamId, joinByInvite, signIn, type Person } from "../fixtures/api.ts";
import { setStatus, upload, uploadVersion } from "../fixtures/files.ts";
import type { Receiver } from "../fixtures/receiver.ts";
import type { Service } from "../fixtures/service.ts";
import type { SampleAccess } from "./shot.ts";

/** So many wrong passwords become an entry of the audit log. */
const WRONG_PASSWORDS = 6;
const LONG_NAME = "Wilhelmina Bartholomea von Hohenzollern-Sigmaringen";

export async function createSampleAccess(service: Service, ana: Person, receiver: Receiver): Promise<SampleAccess> {
  const project = await createProject(ana, "Northern Lights: original motion picture soundtrack, alternate takes and stems");
  const long = await joinByInvite(ana, LONG_NAME, "member", [project.id]);
  const guest = await joinByInvite(ana, "Kim Solberg", "guest", [project.id]);
  const leaving = await joinByInvite(ana, "Ada Leaving", "admin");
  const admin = await joinByInvite(ana, "Rosa Admin", "admin");

  await upload(ana, project, "label_notes.txt", "Stems from bar one.");
  await upload(guest, project, "own_take.txt", "A take.");
  const approved = await upload(guest, project, "approved_take.txt", "The take.");
  await setStatus(ana, project, approved, "Approved");
  const isProtected = await upload(guest, project, "protected_take.txt", "A take for the archive.");
  await call(ana, updateFile, { params: { file_id: isProtected }, body: { removal_protection: true } });
  const reset = await upload(long, project, "cue_list.txt", "Cue 1 at 0:12.");
  await setStatus(ana, project, reset, "Approved");
  await uploadVersion(long, reset, "Cue 1 at 0:14.");

  const createEndpoint = (person: Person, path: string) =>
    call(person, createWebhookEndpoint, { body: { url: new URL(path, receiver.url).href, event_types: ["task.closed"] } });
  const formerEndpoint = (await createEndpoint(leaving, "/left-behind")).data.id;
  await createEndpoint(admin, "/rosa");
  await call(ana, updateMember, { params: { account_id: leaving.id }, body: { disabled: true } });
  await call(ana, updateMember, { params: { account_id: guest.id }, body: { role: "member" } });
  await call(ana, updateMember, { params: { account_id: guest.id }, body: { role: "guest" } });

  for (let index = 0; index < WRONG_PASSWORDS; index += 1) await signIn(service.url, long.email, "not the right one").catch(() => undefined);
  const { token } = (await call(admin, createToken, { body: { name: "Nightly importer", scopes: ["admin", "account:read"] } })).data;
  const response = await fetch(`${service.url}${createProjectOperation.path}`, {
    method: createProjectOperation.method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ name: "Import of 2019", team_id: await firstTeamId(ana), group_id: null }),
  });
  if (!response.ok) throw new Error(`Creating a project with a token: ${response.status} ${await response.text()}`);
  await service.admin("reset-password", "--username", long.name);
  const adminResetLink = (await call(ana, createPasswordReset, { params: { account_id: admin.id } })).data.url;
  return { projectId: project.id, guest, admin, long, resetFile: reset, formerEndpoint, adminResetLink };
}
