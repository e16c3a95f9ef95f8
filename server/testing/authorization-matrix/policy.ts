/** Changes the shared policy for a test, records what it answers the service, and asks it with facts from the records that a caller receives. */
import type { Operation } from "../../../contract/define-operation.ts";
import { listMembers } from "../../../contract/operations/accounts.ts";
import type { FileEntry } from "../../../contract/file-records.ts";
import { operations, type OperationName } from "../../../contract/operations/all.ts";
import { chatHistory } from "../../../contract/operations/chat.ts";
import { listComments } from "../../../contract/operations/comments.ts";
import { listFiles, listFolders } from "../../../contract/operations/files-view.ts";
import { getGroupV2, getProjectV2 } from "../../../contract/operations/resources.ts";
import { getPlaylist } from "../../../contract/operations/playlists.ts";
import { getTask } from "../../../contract/operations/tasks.ts";
import { authorFacts, creatorFacts, fileFacts, playlistFacts, POLICY, RULES, type Rule, taskFacts, versionFacts } from "../../../contract/policy.ts";
import type { Role } from "../../../contract/records.ts";
import { topicOf } from "../../events/log.ts";
import type { Caller, UntypedInput } from "../client.ts";
import type { TestApp } from "../test-app.ts";
import type { Scenario } from "./scenario.ts";

/** Replaces rules by other ones, so that the authorization matrix must fail. Returns a function that restores the policy. */
export function replaceRules(changes: Partial<typeof POLICY>): () => void {
  const original = { ...POLICY };
  Object.assign(POLICY, changes);
  return () => void Object.assign(POLICY, original);
}

/** Returns the result of `work`, and the rules whose last answer during `work` was a denial. */
export async function recordDenials<T>(work: () => Promise<T>): Promise<{ result: T; deniedRules: Rule[] }> {
  const checks = { ...POLICY } as Record<Rule, (role: Role, facts: unknown) => boolean>;
  const deniedRules = new Set<Rule>();
  const record = (rule: Rule) => (role: Role, facts: unknown) => {
    const isAllowed = checks[rule](role, facts);
    if (isAllowed) deniedRules.delete(rule);
    else deniedRules.add(rule);
    return isAllowed;
  };
  const restore = replaceRules(Object.fromEntries(RULES.map((rule) => [rule, record(rule)])));
  try {
    return { result: await work(), deniedRules: [...deniedRules] };
  } finally {
    restore();
  }
}

type FactsReader = (scenario: Scenario, caller: Caller, accountId: number, input: UntypedInput) => Promise<object | null>;

const readMessageFacts: FactsReader = async ({ fixtures: { testApp } }, caller, accountId, { params }) => {
  const { project_id, message_id } = params as { project_id: number; message_id: number };
  const { response } = await testApp.call(caller, chatHistory, { body: { project_id, around_id: message_id, include_deleted: true } });
  const message = response.data.find(({ id }) => id === message_id);
  return message ? authorFacts(message, accountId) : null;
};

const readCommentFacts: FactsReader = async ({ fixtures: { testApp, home } }, caller, accountId, { params, body }) => {
  const { comment_id } = params as { comment_id: number };
  const { response } = await testApp.call(caller, listComments, { params: { file_id: home.file }, query: {} });
  const comment = response.data.find(({ id }) => id === comment_id);
  const isResolving = (body as { body?: string } | undefined)?.body === undefined;
  return comment ? { ...authorFacts(comment, accountId), isResolving } : null;
};

const readTaskFacts: FactsReader = async ({ fixtures: { testApp } }, caller, accountId, { params, body }) => {
  const { response } = await testApp.call(caller, getTask, { params: params as { task_id: number } });
  const isClosing = Object.keys(body ?? {}).join() === "closed";
  return { ...taskFacts(response.data, accountId), isClosing };
};

const readPlaylistFacts: FactsReader = async ({ fixtures: { testApp } }, caller, accountId, { params }) => {
  const { response } = await testApp.call(caller, getPlaylist, { params: params as { playlist_id: number } });
  return playlistFacts(response.data, accountId);
};

/** The matrix writes rows without the events of the operations that would change them, and pages are kept until an event. */
const announceRows = ({ app, database }: TestApp, projectId: number): Promise<unknown> =>
  database.write((tx) => app.deps.events.append(tx, topicOf.project(projectId), "metadata.imported", { project_id: projectId }));

const readFileFacts: FactsReader = async ({ fixtures: { testApp, home } }, caller, accountId, { body }) => {
  const { file_id, file_ids: [id = file_id] = [] } = body as { file_id?: number; file_ids?: number[] };
  const { response: folders } = await testApp.call(caller, listFolders, { params: { project_id: home.project } });
  await announceRows(testApp, home.project);
  const query = { folder_id: String(home.folder), sort: "changed", order: "desc", limit: "500" } as const;
  const { response: files } = await testApp.call(caller, listFiles, { params: { project_id: home.project }, query });
  const entry = [...folders.data, ...files.data].find((candidate) => candidate.id === id);
  return entry ? fileFacts(entry, accountId) : null;
};

/** Also for folders, of which a caller's records do not tell what is in them. */
const readFactsInTree: FactsReader = async ({ fixtures: { testApp, home } }, caller, accountId, input) => {
  const { response: folders } = await testApp.call(caller, listFolders, { params: { project_id: home.project } });
  await announceRows(testApp, home.project);
  const query = { deep: "true", sort: "created", order: "desc", limit: "500" } as const;
  const { response: files } = await testApp.call(caller, listFiles, { params: { project_id: home.project }, query });
  const { file_id, file_ids: [removed = file_id] = [] } = (input.body ?? {}) as { file_id?: number; file_ids?: number[] };
  const id = versionTargetOf(input) ?? removed;
  const entry = [...folders.data, ...files.data].find((candidate) => candidate.id === id);
  const folderById = new Map(folders.data.map((folder) => [folder.id, folder]));
  const foldersAbove: FileEntry[] = [];
  for (let folder = folderById.get(entry?.parent_id ?? 0); folder; folder = folderById.get(folder.parent_id ?? 0)) foldersAbove.push(folder);
  return entry ? versionFacts(entry, foldersAbove, accountId) : null;
};

/** Returns the file that gets a new version from this upload; null if it makes a new file. */
function versionTargetOf({ query, headers }: UntypedInput): number | null {
  const metadata = /version_of ([\w+/=]+)/.exec(headers?.["upload-metadata"] ?? "")?.[1];
  const target = (query as { version_of?: number } | undefined)?.version_of ?? (metadata && Buffer.from(metadata, "base64").toString());
  return target ? Number(target) : null;
}

const readMemberFacts: FactsReader = async ({ fixtures: { testApp } }, caller, _accountId, { params, body }) => {
  const { response } = await testApp.call(caller, listMembers, { query: { limit: "200" } });
  const member = response.data.find(({ id }) => id === (params as { account_id: number }).account_id);
  return member ? { targetRole: member.role, newRole: (body as { role?: Role } | undefined)?.role } : null;
};

const readFactsOfMetadata: FactsReader = (scenario, caller, accountId, { params, body }) => {
  const { changes = [] } = body as { changes?: { file_ids: number[] }[] };
  const file_id = changes[0]?.file_ids[0] ?? (params as { file_id?: number }).file_id;
  return readFileFacts(scenario, caller, accountId, { body: { file_id } });
};

const readSubscriberFacts: FactsReader = async (_scenario, _caller, accountId, { params }) => ({
  isOwn: (params as { agent_id: number }).agent_id === accountId,
});

/** The facts of each operation's rule, from records that the caller receives. */
const FACTS_READERS: Partial<Record<OperationName, FactsReader>> = {
  editMessage: readMessageFacts,
  deleteMessage: readMessageFacts,
  updateComment: readCommentFacts,
  deleteComment: readCommentFacts,
  updateTask: readTaskFacts,
  deleteTask: readTaskFacts,
  deleteProject: async ({ fixtures: { testApp } }, caller, accountId, { params }) =>
    creatorFacts((await testApp.call(caller, getProjectV2, { params: params as { project_id: number } })).response.data, accountId),
  deleteGroup: async ({ fixtures: { testApp } }, caller, accountId, { params }) =>
    creatorFacts((await testApp.call(caller, getGroupV2, { params: params as { group_id: number } })).response.data, accountId),
  updatePlaylist: readPlaylistFacts,
  deletePlaylist: readPlaylistFacts,
  addPlaylistItems: readPlaylistFacts,
  movePlaylistItems: readPlaylistFacts,
  removePlaylistItems: readPlaylistFacts,
  updatePlaylistItem: readPlaylistFacts,
  updateFileMetadata: readFactsOfMetadata,
  updateProjectMetadata: readFactsOfMetadata,
  renameFile: readFileFacts,
  moveFiles: readFactsInTree,
  deleteFile: readFactsInTree,
  deleteFiles: readFactsInTree,
  restoreVersion: (scenario, caller, accountId, { params }) =>
    readFactsInTree(scenario, caller, accountId, { body: { file_id: (params as { file_id: number }).file_id } }),
  uploadFile: readFactsInTree,
  createUpload: readFactsInTree,
  listEventSubscriptions: readSubscriberFacts,
  createEventSubscription: readSubscriberFacts,
  getEventSubscription: readSubscriberFacts,
  updateEventSubscription: readSubscriberFacts,
  deleteEventSubscription: readSubscriberFacts,
  rotateSubscriptionSecret: readSubscriberFacts,
  listSubscriptionDeliveries: readSubscriberFacts,
  getSubscriptionDelivery: readSubscriberFacts,
  redeliverSubscriptionDelivery: readSubscriberFacts,
  updateMember: readMemberFacts,
  transferOwnership: async (scenario, caller, accountId, input) => {
    const facts = await readMemberFacts(scenario, caller, accountId, { ...input, body: { role: "owner" } });
    return facts && { ...facts, newRole: "owner" };
  },
  createPasswordReset: readMemberFacts,
  inviteMember: async (_scenario, _caller, _accountId, { body }) => ({ newRole: (body as { role: Role }).role }),
  removeProjectMember: async (_scenario, _caller, accountId, { params }) => ({ isOwn: (params as { account_id: number }).account_id === accountId }),
};

/** Operations for which a caller's records lack a fact: who deleted a record, whose deleted record it is, or which files a table names. */
const FACTS_UNKNOWN_TO_CALLERS: readonly OperationName[] = [
  "restoreMessage",
  "restoreComment",
  "restoreFiles",
  "restorePlaylist",
  "restoreProject",
  "importMetadata",
];

/**
 * Returns what the policy says with facts from records that the caller receives, as a client has them; null if the caller does not see the record, or
 * no record tells a fact.
 */
export async function isAllowedByRecords(
  scenario: Scenario,
  operationName: OperationName,
  { caller, accountId, role }: { caller: Caller; accountId: number; role: Role },
  input: UntypedInput,
): Promise<boolean | null> {
  const operation = operations[operationName] as Operation;
  const rule = operation.furtherRules?.includes("file.add_version") && versionTargetOf(input) !== null ? "file.add_version" : operation.rule;
  const check = POLICY[rule] as (role: Role, facts: object) => boolean;
  if (check.length < 2) return check(role, {});
  const readFacts = FACTS_READERS[operationName];
  if (!readFacts && !FACTS_UNKNOWN_TO_CALLERS.includes(operationName)) throw new Error(`FACTS_READERS lacks ${operationName}, whose rule ${rule} takes facts`);
  // Records of the other organization are in none of these lists.
  const isOfHome = !caller.name.startsWith("foreign");
  const facts = readFacts && isOfHome ? await readFacts(scenario, caller, accountId, input) : null;
  return facts ? check(role, facts) : null;
}
