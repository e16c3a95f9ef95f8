/** Authorization: the single `can()` check, and lookups that find records only through the actor's memberships. */
import type { Rule, Scope } from "../../contract/define-operation.ts";
import type { Role } from "../../contract/records.ts";
import type { Db, Row } from "../db/schema.ts";
import { forbidden, notFound } from "../lib/errors.ts";

export interface Actor {
  accountId: number;
  organisationId: number;
  role: Role;
  /** null: a signed-in session, which has every scope that its role allows. */
  scopes: readonly Scope[] | null;
  sessionId: number | null;
  tokenId: number | null;
  /** Rules checked for this request; the route layer verifies that its own rule is among them. */
  checkedRules: Set<Rule>;
}

/** What a rule may depend on besides the actor. Visibility is not part of it: the lookups do not find invisible records. */
export interface PolicyFacts {
  /** The record belongs to the actor, or is the actor. */
  isOwn?: boolean;
  /** The current role of the target account, and its new role. */
  targetRole?: Role;
  newRole?: Role;
  /** True if the change to a comment only resolves or reopens it. */
  isResolving?: boolean;
}

type PolicyCheck = (actor: Actor, facts: PolicyFacts) => boolean;

const anyone: PolicyCheck = () => true;
const isManager: PolicyCheck = ({ role }) => role === "owner" || role === "admin";
const isNotGuest: PolicyCheck = ({ role }) => role !== "guest";
/** Only an owner manages owners or makes somebody an owner. */
const canManageTarget: PolicyCheck = (actor, { targetRole, newRole }) =>
  isManager(actor, {}) && (actor.role === "owner" || (targetRole !== "owner" && newRole !== "owner"));

export type Policy = Record<Rule, PolicyCheck>;

export const POLICY: Readonly<Policy> = {
  open: anyone,
  self: anyone,
  "team.read": anyone,
  "team.invite": canManageTarget,
  "group.read": anyone,
  "group.create": isNotGuest,
  "project.read": anyone,
  "project.create": isNotGuest,
  "project.edit": isNotGuest,
  "project.member.add": isNotGuest,
  "project.member.remove": (actor, { isOwn }) => isOwn === true || isManager(actor, {}),
  "chat.read": anyone,
  "chat.write": anyone,
  "message.edit": (_actor, { isOwn }) => isOwn === true,
  "message.delete": (actor, { isOwn }) => isOwn === true || isManager(actor, {}),
  "account.read": anyone,
  "account.manage": canManageTarget,
  "invite.manage": isManager,
  "task.read": anyone,
  "task.create": anyone,
  /** Guests edit only tasks that they created; a task assigned to them counts as their own for closing it. */
  "task.edit": (actor, { isOwn }) => isOwn === true || isNotGuest(actor, {}),
  "task.delete": (actor, { isOwn }) => isOwn === true || isNotGuest(actor, {}),
  "task_template.manage": isNotGuest,
  "file.read": anyone,
  "file.create": anyone,
  "file.rename": isNotGuest,
  /** Guests move only files that they uploaded. */
  "file.move": (actor, { isOwn }) => isOwn === true || isNotGuest(actor, {}),
  /** Guests delete only files that they uploaded. */
  "file.delete": (actor, { isOwn }) => isOwn === true || isNotGuest(actor, {}),
  "file.status": isNotGuest,
  "file.process": isNotGuest,
  "file.tags": isNotGuest,
  "comment.read": anyone,
  "comment.write": anyone,
  /** Only the author edits a comment's text. Everybody except guests can resolve any comment; guests resolve only their own. */
  "comment.edit": (actor, { isOwn, isResolving }) => isOwn === true || (isResolving === true && isNotGuest(actor, {})),
  "comment.delete": (actor, { isOwn }) => isOwn === true || isManager(actor, {}),
  "file_status.manage": isManager,
  "webhook.manage": isManager,
  "demo.make": ({ role }) => role === "owner",
};

let policy: Readonly<Policy> = POLICY;

/** For tests: replaces rules by weaker ones, so that the authorization matrix must fail. Returns a function that restores the policy. */
export function replacePolicy(changes: Partial<Policy>): () => void {
  policy = { ...POLICY, ...changes };
  return () => {
    policy = POLICY;
  };
}

/** Returns whether the policy allows the action, and records in the actor that the rule was checked. */
export function can(actor: Actor, rule: Rule, facts: PolicyFacts = {}): boolean {
  actor.checkedRules.add(rule);
  return policy[rule](actor, facts);
}

/** Throws a 403 unless the policy allows it. */
export function assertCan(actor: Actor, rule: Rule, facts: PolicyFacts, denialReason: string): void {
  if (!can(actor, rule, facts)) throw forbidden(denialReason);
}

export const canSeeEverything = (actor: Pick<Actor, "role">): boolean => actor.role === "owner" || actor.role === "admin";

/** Queries for the records that an actor can see, on which services build their lookups. */
const LOOKUPS = {
  projects: queryVisibleProjects,
  teams: queryVisibleTeams,
  groups: queryVisibleGroups,
  accounts: queryVisibleAccounts,
  files: queryVisibleFiles,
  endpoints: queryVisibleEndpoints,
};
export type Lookups = typeof LOOKUPS;
let lookups: Readonly<Lookups> = LOOKUPS;

/** For tests: makes a lookup find too much, so that the authorization matrix must fail. Returns a function that restores the lookups. */
export function replaceLookups(changes: Partial<Lookups>): () => void {
  lookups = { ...LOOKUPS, ...changes };
  return () => {
    lookups = LOOKUPS;
  };
}

export const visibleProjects = (db: Db, actor: Actor) => lookups.projects(db, actor);
export const visibleTeams = (db: Db, actor: Actor) => lookups.teams(db, actor);
export const visibleGroups = (db: Db, actor: Actor) => lookups.groups(db, actor);
export const visibleAccounts = (db: Db, actor: Actor) => lookups.accounts(db, actor);

export const visibleFiles = (db: Db, actor: Actor) => lookups.files(db, actor);
export const visibleEndpoints = (db: Db, actor: Actor) => lookups.endpoints(db, actor);

/** Projects that the actor sees: all of the organization for owners and admins, otherwise those of which the actor is a member. */
function queryVisibleProjects(db: Db, actor: Actor) {
  const query = db.selectFrom("projects").innerJoin("teams", "teams.id", "projects.team_id").where("teams.organisation_id", "=", actor.organisationId);
  if (canSeeEverything(actor)) return query;
  return query.where(({ exists, selectFrom }) =>
    exists(
      selectFrom("project_members")
        .select("project_members.project_id")
        .whereRef("project_members.project_id", "=", "projects.id")
        .where("project_members.account_id", "=", actor.accountId),
    ),
  );
}

/** Teams that the actor belongs to; owners and admins see all of the organization, guests only the teams of their projects. */
function queryVisibleTeams(db: Db, actor: Actor) {
  const query = db.selectFrom("teams").where("teams.organisation_id", "=", actor.organisationId);
  if (canSeeEverything(actor)) return query;
  if (actor.role === "guest") return query.where("teams.id", "in", visibleProjects(db, actor).select("projects.team_id"));
  return query.where(({ exists, selectFrom }) =>
    exists(
      selectFrom("team_members")
        .select("team_members.team_id")
        .whereRef("team_members.team_id", "=", "teams.id")
        .where("team_members.account_id", "=", actor.accountId),
    ),
  );
}

/** Groups of visible teams; guests see only groups that contain one of their projects. */
function queryVisibleGroups(db: Db, actor: Actor) {
  const query = db.selectFrom("project_groups").where("project_groups.team_id", "in", visibleTeams(db, actor).select("teams.id"));
  if (actor.role !== "guest") return query;
  return query.where("project_groups.id", "in", visibleProjects(db, actor).select("projects.group_id").where("projects.group_id", "is not", null));
}

/** Accounts of the organization; guests see only those that share a project with them, and owners and admins. */
function queryVisibleAccounts(db: Db, actor: Actor) {
  const query = db.selectFrom("accounts").where("accounts.organisation_id", "=", actor.organisationId);
  if (actor.role !== "guest") return query;
  return query.where(({ or, eb }) =>
    or([
      eb("accounts.id", "=", actor.accountId),
      eb("accounts.role", "in", ["owner", "admin"]),
      eb(
        "accounts.id",
        "in",
        db
          .selectFrom("project_members as theirs")
          .innerJoin("project_members as mine", "mine.project_id", "theirs.project_id")
          .where("mine.account_id", "=", actor.accountId)
          .select("theirs.account_id"),
      ),
    ]),
  );
}

/** Files and folders of visible projects, except deleted ones. */
function queryVisibleFiles(db: Db, actor: Actor) {
  return db.selectFrom("files").where("files.deleted_at", "is", null).where("files.project_id", "in", visibleProjects(db, actor).select("projects.id"));
}

/** Webhook endpoints of the organization, except deleted ones; the rule decides who may use them. */
function queryVisibleEndpoints(db: Db, actor: Actor) {
  return db
    .selectFrom("webhook_endpoints")
    .where("webhook_endpoints.organisation_id", "=", actor.organisationId)
    .where("webhook_endpoints.deleted_at", "is", null);
}

/** Returns the project. Throws a 404 if the actor does not see it, a 403 if the rule forbids the action; so do the three functions below. */
export async function loadAuthorizedProject(db: Db, actor: Actor, rule: Rule, id: number, facts: PolicyFacts = {}): Promise<Row<"projects">> {
  const project = await visibleProjects(db, actor).where("projects.id", "=", id).selectAll("projects").executeTakeFirst();
  if (!project) throw notFound("project");
  assertCan(actor, rule, facts, "Your role does not allow this in this project.");
  return project;
}

export async function loadAuthorizedTeam(db: Db, actor: Actor, rule: Rule, id: number, facts: PolicyFacts = {}): Promise<Row<"teams">> {
  const team = await visibleTeams(db, actor).where("teams.id", "=", id).selectAll("teams").executeTakeFirst();
  if (!team) throw notFound("team");
  assertCan(actor, rule, facts, "Your role does not allow this in this team.");
  return team;
}

export async function loadAuthorizedGroup(db: Db, actor: Actor, rule: Rule, id: number): Promise<Row<"project_groups">> {
  const group = await visibleGroups(db, actor).where("project_groups.id", "=", id).selectAll("project_groups").executeTakeFirst();
  if (!group) throw notFound("group");
  assertCan(actor, rule, {}, "Your role does not allow this in this group.");
  return group;
}

export async function loadAuthorizedAccount(db: Db, actor: Actor, rule: Rule, id: number, facts: PolicyFacts = {}): Promise<Row<"accounts">> {
  const account = await visibleAccounts(db, actor).where("accounts.id", "=", id).selectAll("accounts").executeTakeFirst();
  if (!account) throw notFound("account");
  assertCan(actor, rule, { isOwn: id === actor.accountId, targetRole: account.role, ...facts }, "Your role does not allow this for this person.");
  return account;
}
