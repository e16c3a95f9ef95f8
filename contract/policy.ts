/**
 * The one policy: a rule, the role of the account that acts, and facts about the record decide whether an action is allowed. The service asks it
 * before every action and throws a 403 if it denies one; the client asks it before it offers one. Two questions are not part of it: whether the
 * account sees the record (404, decided in SQL), and whether the record's state allows the action, such as a protected file (409).
 */
import type { FileEntry } from "./file-records.ts";
import type { Playlist } from "./playlist-records.ts";
import type { Role } from "./records.ts";
import type { Task } from "./task-records.ts";

interface Ownership {
  /** The acting account wrote, uploaded or created the record and everything in it, or is the account that the action is about. */
  isOwn: boolean;
}
interface DeletedRecord extends Ownership {
  /** True if somebody else deleted the record. */
  isDeletedByOther: boolean;
}
interface CommentChange extends Ownership {
  /** True if the change only resolves or reopens the comment. */
  isResolving: boolean;
}
interface TaskChange extends Ownership {
  isAssignee: boolean;
  /** True if the change only closes or reopens the task. */
  isClosing: boolean;
}
interface Root {
  /** True for a project's root folder. */
  isRoot: boolean;
}
interface VersionTarget extends Ownership {
  /** The file or a folder above it is protected from removal. */
  isProtected: boolean;
  /** The file has a final status, such as Approved. */
  isFinal: boolean;
}
interface RoleChange {
  /** The current role of the account that is changed. */
  targetRole: Role;
  /** Undefined if the role stays the same. */
  newRole: Role | undefined;
}
interface Invitation {
  newRole: Role;
}

/** The roles that see every project of the organization and manage its members. */
export const MANAGER_ROLES: readonly Role[] = ["owner", "admin"];

const anyone = () => true;
const isOwner = (role: Role) => role === "owner";
const isManager = (role: Role) => MANAGER_ROLES.includes(role);
const isNotGuest = (role: Role) => role !== "guest";
const isAuthor = (_role: Role, { isOwn }: Ownership) => isOwn;
const isAuthorOrManager = (role: Role, { isOwn }: Ownership) => isOwn || isManager(role);
const isCreatorOrManager = (role: Role, { isOwn }: Ownership) => isManager(role) || (isOwn && isNotGuest(role));
const isAuthorOrNotGuest = (role: Role, { isOwn }: Ownership) => isOwn || isNotGuest(role);
const canRestore = (role: Role, { isOwn, isDeletedByOther }: DeletedRecord) => (isOwn || isManager(role)) && !isDeletedByOther;

export const POLICY = {
  /** No sign-in is needed. */
  open: anyone,
  /** Acts only on the caller's own account, or lists what the caller sees. */
  self: anyone,
  "team.read": anyone,
  /** Only an owner makes somebody an owner. */
  "team.invite": (role: Role, { newRole }: Invitation) => isManager(role) && (role === "owner" || newRole !== "owner"),
  "group.read": anyone,
  "group.create": isNotGuest,
  "group.edit": isNotGuest,
  /** Others may have projects in it that its creator does not see; they stay. */
  "group.delete": isCreatorOrManager,
  "project.read": anyone,
  "project.create": isNotGuest,
  "project.edit": isNotGuest,
  /** Deletes a project: whoever created it, owners and admins. */
  "project.delete": isCreatorOrManager,
  "project.restore": isCreatorOrManager,
  /** The service lists only those that the reader may restore. */
  "project.list_deleted": isNotGuest,
  "project.member.add": isNotGuest,
  /** Everybody may leave. */
  "project.member.remove": isAuthorOrManager,
  "chat.read": anyone,
  "chat.write": anyone,
  "message.edit": isAuthor,
  "message.delete": isAuthorOrManager,
  "message.restore": canRestore,
  "account.read": anyone,
  /** Only an owner manages owners or makes somebody an owner. */
  "account.manage": (role: Role, { targetRole, newRole }: RoleChange) =>
    isManager(role) && (role === "owner" || (targetRole !== "owner" && newRole !== "owner")),
  "invite.manage": isManager,
  /** Sees and revokes the password reset links of the organization. */
  "password_reset.manage": isOwner,
  "task.read": anyone,
  "task.create": anyone,
  /** Guests edit only tasks that they created, and also close those assigned to them. */
  "task.edit": (role: Role, { isOwn, isAssignee, isClosing }: TaskChange) => isOwn || isNotGuest(role) || (isAssignee && isClosing),
  "task.delete": isAuthorOrNotGuest,
  "task_template.manage": isNotGuest,
  "playlist.read": anyone,
  "playlist.create": anyone,
  /** Guests change, delete and restore only playlists that they created. */
  "playlist.edit": isAuthorOrNotGuest,
  "playlist.delete": isAuthorOrNotGuest,
  "file.read": anyone,
  "file.create": anyone,
  /** Adds a version to a file: guests only to files that they added, and never to protected or finished ones. */
  "file.add_version": (role: Role, { isOwn, isProtected, isFinal }: VersionTarget) => isNotGuest(role) || (isOwn && !isProtected && !isFinal),
  /** Changes the protections of a file or folder; a new name needs `file.rename` too. */
  "file.edit": isNotGuest,
  "file.rename": (role: Role, { isRoot }: Root) => isNotGuest(role) && !isRoot,
  /** Guests move only what they added, and nothing out of a protected folder, where they could not add a version to it. */
  "file.move": (role: Role, { isOwn, isRoot, isProtected }: Root & Omit<VersionTarget, "isFinal">) => (isNotGuest(role) || (isOwn && !isProtected)) && !isRoot,
  /** Guests delete only what they added, and nothing finished, which they could replace by another upload then. */
  "file.delete": (role: Role, { isOwn, isRoot, isFinal }: Root & Omit<VersionTarget, "isProtected">) => (isNotGuest(role) || (isOwn && !isFinal)) && !isRoot,
  "file.restore": isAuthorOrNotGuest,
  "file.status": isNotGuest,
  "file.process": isNotGuest,
  /** Corrects tempo and key by hand. */
  "file.tags": isNotGuest,
  "metadata_template.manage": isManager,
  /** Guests change only the metadata of files that they added. */
  "metadata.edit": isAuthorOrNotGuest,
  "comment.read": anyone,
  "comment.write": anyone,
  /** Only the author edits a comment's text. Everybody except guests resolves any comment; guests resolve only their own. */
  "comment.edit": (role: Role, { isOwn, isResolving }: CommentChange) => isOwn || (isResolving && isNotGuest(role)),
  "comment.delete": isAuthorOrManager,
  "comment.restore": canRestore,
  "file_status.manage": isManager,
  "webhook.manage": isManager,
  "delivery_rules.manage": isManager,
  /** Sees what an agent may do; the service shows only those of its projects that the reader sees. */
  "agent.read": anyone,
  "agent.manage": isManager,
  /** An agent manages what it is told of itself. */
  "agent.subscribe": isAuthorOrManager,
  /** The log of what agents did, in projects that the reader sees. */
  "agent_action.read": isNotGuest,
  /** The reverse of an action needs its own rule besides. */
  "agent_action.undo": isNotGuest,
  "agent_task.read": isNotGuest,
  "agent_task.run": isNotGuest,
  /** A task makes another account act, which may have more rights. */
  "agent_task.manage": isManager,
  /** Shows what others did and from which address. */
  "audit.read": isOwner,
  "demo.make": isOwner,
  "organisation.edit": isOwner,
};

export type Rule = keyof typeof POLICY;
export const RULES = Object.keys(POLICY) as Rule[];

export type NoFacts = Readonly<Record<string, never>>;
type FactsOf<Check> = Check extends (role: Role, facts: infer Facts) => boolean ? Facts : never;
/** The rules that these facts decide; a call that lacks a fact of its rule does not compile. */
export type RuleFor<Facts> = { [R in Rule]: Facts extends FactsOf<(typeof POLICY)[R]> ? R : never }[Rule];

/** Returns whether the policy allows the action. */
export const isAllowed = <const Facts extends object = NoFacts>(rule: RuleFor<Facts>, role: Role, facts?: Facts): boolean =>
  (POLICY[rule] as (role: Role, facts: Facts | undefined) => boolean)(role, facts);

/** Returns whether the role sees every project of the organization without being a member. */
export const canSeeEverything = isManager;

/** Returns whether the role sees teams and groups only through its own projects, and of the people only those in them, owners and admins. */
export const seesOnlyOwnProjects = (role: Role): boolean => role === "guest";

/** Returns whether the rule is about changing something in a project, which is refused while the project is archived. */
export const changesContent = (rule: Rule): boolean => /^(chat|message|task|playlist|file|metadata|comment)\.(?!read)/.test(rule);

/** The facts about a message or comment for one account. */
export const authorFacts = ({ account_id }: { account_id: number }, accountId: number) => ({ isOwn: account_id === accountId });

/** The facts about a task for one account. */
export const taskFacts = ({ created_by_account_id, assignee_account_id }: Pick<Task, "created_by_account_id" | "assignee_account_id">, accountId: number) => ({
  isOwn: created_by_account_id === accountId,
  isAssignee: assignee_account_id === accountId,
});

/** The facts about a playlist for one account. */
export const playlistFacts = ({ created_by_account_id }: Pick<Playlist, "created_by_account_id">, accountId: number) => ({
  isOwn: created_by_account_id === accountId,
});

/** The facts about a project or group for one account. */
export const creatorFacts = ({ created_by_account_id }: { created_by_account_id?: number | null | undefined }, accountId: number) => ({
  isOwn: created_by_account_id === accountId,
});

/** The facts about a file or folder for one account. A folder's contents may belong to others: only the service knows them. */
export const fileFacts = (
  { created_by_account_id, account_id, parent_id }: Pick<FileEntry, "created_by_account_id" | "account_id" | "parent_id">,
  accountId: number,
) => ({ isOwn: (created_by_account_id ?? account_id) === accountId, isRoot: parent_id === null });

/** The facts about a file that gets a new version, or is moved or deleted. `foldersAbove`: those that contain it, as far as they are known. */
export const versionFacts = (
  file: Parameters<typeof fileFacts>[0] & Pick<FileEntry, "removal_protection" | "status">,
  foldersAbove: readonly Pick<FileEntry, "removal_protection">[],
  accountId: number,
) => ({
  ...fileFacts(file, accountId),
  isProtected: [file, ...foldersAbove].some(({ removal_protection }) => removal_protection),
  isFinal: file.status?.is_final === true,
});
