/** Authorization: the single `can()` check of the shared policy, and lookups that find records only through the actor's memberships. */
import { PARTICIPANT_SCOPES, type Scope } from "../../contract/define-operation.ts";
import { canSeeEverything, isAllowed, MANAGER_ROLES, seesOnlyOwnProjects, type NoFacts, type Rule, type RuleFor } from "../../contract/policy.ts";
import type { Role } from "../../contract/records.ts";
import { prepareStatement } from "../db/prepared.ts";
import type { Db, Row } from "../db/schema.ts";
import { untilNextCommit } from "../db/until-commit.ts";
import { forbidden, notFound } from "../lib/errors.ts";

export interface Actor {
  accountId: number;
  organisationId: number;
  role: Role;
  /** null: a signed-in session, which has every scope that its role allows. */
  scopes: readonly Scope[] | null;
  sessionId: number | null;
  /** An API token, or the grant of a connected app. */
  tokenId: number | null;
  /** The access token of a connected app, which may have fewer scopes than its grant and ends earlier. */
  accessTokenId?: number;
  /** True for the account of an agent. */
  isAgent?: boolean;
  /** IP address of the request; null outside requests. */
  address: string | null;
  /** Rules checked for this request; the route layer verifies that its own rule is among them. */
  checkedRules: Set<Rule>;
}

/** Returns whether the policy allows the action, and records in the actor that the rule was checked. */
export function can<const Facts extends object = NoFacts>(actor: Actor, rule: RuleFor<Facts>, facts?: Facts): boolean {
  actor.checkedRules.add(rule);
  return isAllowed(rule, actor.role, facts);
}

/** Throws a 403 unless the policy allows it. */
export function assertCan<const Facts extends object>(actor: Actor, rule: RuleFor<Facts>, facts: Facts, denialReason: string): void {
  if (!can(actor, rule, facts)) throw forbidden(denialReason);
}

/**
 * Throws a 403 if the actor is an API token that must not give somebody this role: a token must not lead to a session that can do more than the token
 * (decision 033).
 */
export function assertCanGrantRole({ scopes }: Actor, role: Role): void {
  if (scopes === null) return;
  if (canSeeEverything(role)) throw forbidden("An API token cannot make somebody an owner or admin. Sign in with a browser.");
  const missing = PARTICIPANT_SCOPES.find((scope) => !scopes.includes(scope));
  if (missing) throw forbidden(`This token lacks the scope ${missing}, which everybody who joins gets.`);
}

/** Throws a 403 if the actor is an API token without this scope, which reading what the response would show needs. */
export function assertCanRead({ scopes }: Actor, scope: Scope, purpose: string): void {
  if (scopes !== null && !scopes.includes(scope)) throw forbidden(`This token lacks the scope ${scope}, which ${purpose} needs.`);
}

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
/** Tells apart what was found with replaced lookups. */
let lookupsId = 0;

/** For tests: makes a lookup find too much, so that the authorization matrix must fail. Returns a function that restores the lookups. */
export function replaceLookups(changes: Partial<Lookups>): () => void {
  lookups = { ...LOOKUPS, ...changes };
  lookupsId += 1;
  return () => {
    lookups = LOOKUPS;
    lookupsId += 1;
  };
}

/** All that the lookups depend on besides the database, for results that are remembered. */
export const lookupKey = ({ organisationId, accountId, role }: Actor): string => `${role} ${accountId} of ${organisationId} by ${lookupsId}`;

export const visibleProjects = (db: Db, actor: Actor) => lookups.projects(db, actor);
export const visibleTeams = (db: Db, actor: Actor) => lookups.teams(db, actor);
export const visibleGroups = (db: Db, actor: Actor) => lookups.groups(db, actor);
export const visibleAccounts = (db: Db, actor: Actor) => lookups.accounts(db, actor);

export const visibleFiles = (db: Db, actor: Actor) => lookups.files(db, actor);
export const visibleEndpoints = (db: Db, actor: Actor) => lookups.endpoints(db, actor);

/** Projects that the actor sees, except deleted ones. */
function queryVisibleProjects(db: Db, actor: Actor) {
  return reachableProjects(db, actor).where("projects.deleted_at", "is", null);
}

/** All projects of the organization for owners and admins, otherwise those of which the actor is a member; deleted ones too. */
export function reachableProjects(db: Db, actor: Actor) {
  const query = db.selectFrom("projects").innerJoin("teams", "teams.id", "projects.team_id").where("teams.organisation_id", "=", actor.organisationId);
  if (canSeeEverything(actor.role)) return query;
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
  if (canSeeEverything(actor.role)) return query;
  if (seesOnlyOwnProjects(actor.role)) return query.where("teams.id", "in", visibleProjects(db, actor).select("projects.team_id"));
  return query.where(({ exists, selectFrom }) =>
    exists(
      selectFrom("team_members")
        .select("team_members.team_id")
        .whereRef("team_members.team_id", "=", "teams.id")
        .where("team_members.account_id", "=", actor.accountId),
    ),
  );
}

/** Groups of visible teams: all for owners and admins, otherwise those that contain a visible project or that the actor has created. */
function queryVisibleGroups(db: Db, actor: Actor) {
  const query = db.selectFrom("project_groups").where("project_groups.team_id", "in", visibleTeams(db, actor).select("teams.id"));
  if (canSeeEverything(actor.role)) return query;
  const groupIds = visibleProjects(db, actor).select("projects.group_id").where("projects.group_id", "is not", null);
  return query.where(({ or, eb }) => or([eb("project_groups.id", "in", groupIds), eb("project_groups.created_by", "=", actor.accountId)]));
}

/** Accounts of the organization; guests see only those that share a project with them, and owners and admins. */
function queryVisibleAccounts(db: Db, actor: Actor) {
  const query = db.selectFrom("accounts").where("accounts.organisation_id", "=", actor.organisationId);
  if (!seesOnlyOwnProjects(actor.role)) return query;
  return query.where(({ or, eb }) =>
    or([
      eb("accounts.id", "=", actor.accountId),
      eb("accounts.role", "in", MANAGER_ROLES),
      eb(
        "accounts.id",
        "in",
        db
          .selectFrom("project_members as theirs")
          .where("theirs.project_id", "in", visibleProjects(db, actor).select("projects.id"))
          .select("theirs.account_id"),
      ),
    ]),
  );
}

/** Files and folders of visible projects, except deleted ones. */
function queryVisibleFiles(db: Db, actor: Actor) {
  return db.selectFrom("files").where("files.deleted_at", "is", null).where("files.project_id", "in", visibleProjects(db, actor).select("projects.id"));
}

/** Webhook endpoints of the organization, except deleted ones and those of agents' subscriptions; the rule decides who may use them. */
function queryVisibleEndpoints(db: Db, actor: Actor) {
  return db
    .selectFrom("webhook_endpoints")
    .where("webhook_endpoints.organisation_id", "=", actor.organisationId)
    .where("webhook_endpoints.agent_id", "is", null)
    .where("webhook_endpoints.deleted_at", "is", null);
}

type ProjectLookup = Pick<Actor, "organisationId" | "accountId"> & { id: number };
const selectProjectAs = (actor: Actor) =>
  prepareStatement<ProjectLookup, Row<"projects">>((db, { organisationId, accountId, id }) =>
    visibleProjects(db, { ...actor, organisationId, accountId })
      .where("projects.id", "=", id)
      .selectAll("projects"),
  );
/** One for each role and set of lookups: `visibleProjects` may decide by nothing else of the actor than the role. */
const projectStatements = new Map<string, ReturnType<typeof selectProjectAs>>();

async function findVisibleProject(db: Db, actor: Actor, id: number): Promise<Row<"projects"> | undefined> {
  const key = `${actor.role} ${lookupsId}`;
  const statement = projectStatements.get(key) ?? selectProjectAs(actor);
  projectStatements.set(key, statement);
  return (await statement(db, { organisationId: actor.organisationId, accountId: actor.accountId, id }))[0];
}

/** Returns the project. Throws a 404 if the actor does not see it, a 403 if the rule forbids the action; so do the three functions below. */
export async function loadAuthorizedProject<const Facts extends object = NoFacts>(
  db: Db,
  actor: Actor,
  rule: RuleFor<Facts>,
  id: number,
  facts?: Facts,
): Promise<Row<"projects">> {
  const project = await untilNextCommit(db, `project ${id} for ${lookupKey(actor)}`, () => findVisibleProject(db, actor, id));
  if (!project) throw notFound("project");
  if (!can(actor, rule, facts)) throw forbidden("Your role does not allow this in this project.");
  return project;
}

export async function loadAuthorizedTeam<const Facts extends object = NoFacts>(
  db: Db,
  actor: Actor,
  rule: RuleFor<Facts>,
  id: number,
  facts?: Facts,
): Promise<Row<"teams">> {
  const team = await visibleTeams(db, actor).where("teams.id", "=", id).selectAll("teams").executeTakeFirst();
  if (!team) throw notFound("team");
  if (!can(actor, rule, facts)) throw forbidden("Your role does not allow this in this team.");
  return team;
}

export async function loadAuthorizedGroup(db: Db, actor: Actor, rule: RuleFor<NoFacts>, id: number): Promise<Row<"project_groups">> {
  const group = await visibleGroups(db, actor).where("project_groups.id", "=", id).selectAll("project_groups").executeTakeFirst();
  if (!group) throw notFound("group");
  assertCan(actor, rule, {}, "Your role does not allow this in this group.");
  return group;
}

/** `newRole`: the role that the account is to get. */
export async function loadAuthorizedAccount(
  db: Db,
  actor: Actor,
  rule: RuleFor<{ targetRole: Role; newRole: Role | undefined }>,
  id: number,
  newRole?: Role,
): Promise<Row<"accounts">> {
  const account = await visibleAccounts(db, actor).where("accounts.id", "=", id).selectAll("accounts").executeTakeFirst();
  if (!account) throw notFound("account");
  assertCan(actor, rule, { targetRole: account.role, newRole }, "Your role does not allow this for this person.");
  return account;
}
