/** Runs every cell of the authorization matrix and reports mismatches. */
import { expect } from "vitest";
import type { Operation } from "../../../contract/define-operation.ts";
import type { SearchGroup } from "../../../contract/search-records.ts";
import { operations, type OperationName } from "../../../contract/operations/all.ts";
import type { Caller } from "../client.ts";
import { createSessions } from "../people.ts";
import { AGENT_ACTION_TABLE } from "./agent-action-rows.ts";
import { AGENT_TABLE } from "./agent-rows.ts";
import { AGENT_SUBSCRIPTION_TABLE } from "./agent-subscription-rows.ts";
import { AGENT_TASK_TABLE } from "./agent-task-rows.ts";
import { DELIVERY_TABLE } from "./delivery-rows.ts";
import { DELIVERY_RULES_TABLE } from "./delivery-rules-rows.ts";
import { NOTIFICATION_TABLE } from "./notification-table.ts";
import { isAllowedByRecords, recordDenials } from "./policy.ts";
import { foundProjects, KNOWLEDGE_TABLE } from "./knowledge-rows.ts";
import { METADATA_TABLE } from "./metadata-table.ts";
import { PLAYLIST_TABLE } from "./playlist-table.ts";
import { PROJECT_LIFE_TABLE } from "./project-life-rows.ts";
import { REQUESTS, resetScenario } from "./requests.ts";
import { FAVORITE_TABLE } from "./favorite-requests.ts";
import { REVIEW_TABLE } from "./review-table.ts";
import { PEOPLE, getPerson, type Scenario } from "./scenario.ts";
import { foundIds, SEARCH_TABLE } from "./search-requests.ts";
import { TABLE } from "./table.ts";

export interface Row {
  operation: OperationName;
  /** Operation and object, as in `REQUESTS`. */
  name: string;
  cells: string[];
}

export const ROWS: Row[] = [
  TABLE,
  REVIEW_TABLE,
  NOTIFICATION_TABLE,
  PLAYLIST_TABLE,
  FAVORITE_TABLE,
  SEARCH_TABLE,
  KNOWLEDGE_TABLE,
  DELIVERY_RULES_TABLE,
  AGENT_TABLE,
  AGENT_TASK_TABLE,
  AGENT_ACTION_TABLE,
  AGENT_SUBSCRIPTION_TABLE,
  METADATA_TABLE,
  PROJECT_LIFE_TABLE,
  DELIVERY_TABLE,
]
  .join("")
  .split("\n")
  .filter((line) => line.trim() !== "")
  .map((line) => {
    const [, operation = "", object = "", cells = ""] = /^(\w+) +(.*?) {2,}(\d{3}.*)$/.exec(line) ?? [];
    return { operation: operation as OperationName, name: `${operation} ${object}`, cells: cells.split(/[ |]+/) };
  });

/** Asserts that rows and requests match one to one and that every row has a cell for each person. */
export function expectCompleteTable(): void {
  expect(ROWS.map(({ name }) => name).sort()).toEqual(Object.keys(REQUESTS).sort());
  for (const { name, cells } of ROWS) expect(cells, name).toHaveLength(PEOPLE.length);
}

interface ResponseRecord {
  id: number;
  account?: { id: number };
  project_id?: number;
  account_id?: number;
  item?: { project_id: number };
  project_ids?: number[];
}

/** Returns the letters for what the response contains, in the format of the table. */
async function describeResponse(scenario: Scenario, operation: OperationName, response: unknown): Promise<string> {
  const { fixtures } = scenario;
  const { data } = response as { data: ResponseRecord | ResponseRecord[] };
  const ids: number[] = Array.isArray(data) ? data.map(({ id }) => id) : [data.id];
  const fixtureLetters = (field: "team" | "group" | "project" | "file") =>
    [
      ...new Set(
        (["home", "next", "apart", "foreign"] as const)
          .filter((fixtureName) => ids.includes(fixtures[fixtureName][field]))
          .map((fixtureName) => (field === "team" && fixtureName === "next" ? "home" : fixtureName)),
      ),
    ]
      .map((fixtureName) => fixtureName[0])
      .join("");
  const personLetters = (accountIds: number[]) =>
    [...PEOPLE.map(([name, letter]) => [fixtures[name].id, letter] as const), [scenario.target.id, "T"] as const]
      .filter(([id]) => accountIds.includes(id))
      .map(([, letter]) => letter)
      .sort()
      .join("");
  const loadAccountIds = async (table: "api_tokens" | "sessions") =>
    ids.length === 0
      ? []
      : (await fixtures.testApp.database.read.selectFrom(table).select("account_id").where("id", "in", ids).execute()).map((row) => row.account_id);
  switch (operation) {
    case "getProject":
    case "getProjectV2":
    case "listProjects":
    case "listProjectsByGroup":
    case "listProjectsWithoutGroup":
      return fixtureLetters("project");
    case "listFavorites":
    case "listRecentItems":
    case "listTasks":
    case "listNotifications":
    case "listProjectNotificationSettings":
    case "listPlaylists":
    case "listAgentActions":
    case "listAgentTasks":
    case "listPlaylistItems":
      return (["home", "next", "apart", "foreign"] as const)
        .filter((fixtureName) => [data].flat().some(({ project_id, item }) => (item?.project_id ?? project_id) === fixtures[fixtureName].project))
        .map((fixtureName) => fixtureName[0])
        .join("");
    case "listAgents":
      return (["home", "foreign"] as const)
        .filter((fixtureName) => [data].flat().some(({ project_ids }) => project_ids?.includes(fixtures[fixtureName].project)))
        .map((fixtureName) => fixtureName[0])
        .join("");
    case "searchKnowledgeBase":
      return (["home", "next", "apart", "foreign"] as const)
        .filter((fixtureName) => foundProjects(data).includes(fixtures[fixtureName].project))
        .map((fixtureName) => fixtureName[0])
        .join("");
    case "search": {
      const { people, projects } = foundIds(data as unknown as { groups: SearchGroup[] });
      return (
        personLetters(people) +
        (["home", "next", "apart", "foreign"] as const)
          .filter((fixtureName) => projects.includes(fixtures[fixtureName].project))
          .map((fixtureName) => fixtureName[0])
          .join("")
      );
    }
    case "findFiles":
      return fixtureLetters("file");
    case "listGroups":
    case "listGroupsV2":
    case "getGroup":
    case "getGroupV2":
      return fixtureLetters("group");
    case "listTeams":
    case "listTeamsV2":
    case "getTeam":
      return fixtureLetters("team");
    case "listInvites":
      return [[scenario.homeInvite, "h"] as const, [scenario.foreignInvite, "f"] as const]
        .filter(([id]) => ids.includes(id))
        .map(([, letter]) => letter)
        .join("");
    case "listPasswordResets": {
      const accountIds = [data].flat().map(({ account_id }) => account_id);
      return [[scenario.target.id, "h"] as const, [fixtures.foreignMember.id, "f"] as const]
        .filter(([id]) => accountIds.includes(id))
        .map(([, letter]) => letter)
        .join("");
    }
    case "listProjectMembers":
    case "listMembers":
    case "getAccount":
    case "getAccountV2":
    case "getOwnAccount":
    case "setAvatar":
    case "removeAvatar":
    case "updateAccount":
      return personLetters(ids);
    case "getSession":
      return personLetters(Array.isArray(data) || !data.account ? [] : [data.account.id]);
    case "listWebhookEndpoints":
      return organizationLetters(scenario, "webhook_endpoints", ids);
    case "listAuditEntries":
      return organizationLetters(scenario, "audit", ids);
    case "listTokens":
    case "listGrants":
      return personLetters(await loadAccountIds("api_tokens"));
    case "listSessions":
      return personLetters(await loadAccountIds("sessions"));
    default:
      return "";
  }
}

async function organizationLetters({ fixtures }: Scenario, table: "webhook_endpoints" | "audit", ids: number[]): Promise<string> {
  if (ids.length === 0) return "";
  const rows = await fixtures.testApp.database.read
    .selectFrom(table)
    .innerJoin("accounts", "accounts.organisation_id", `${table}.organisation_id`)
    .select("accounts.id")
    .where(`${table}.id`, "in", ids)
    .execute();
  const includesAccount = (account: number) => rows.some(({ id }) => id === account);
  return `${includesAccount(fixtures.owner.id) ? "h" : ""}${includesAccount(fixtures.foreignOwner.id) ? "f" : ""}`;
}

/**
 * Sends the row's request as this person and returns the status, with the letters of the response if the table expects them. Adds what is wrong if the
 * policy and the status disagree: the service answers 403 exactly where the policy denies, and the policy says the same with facts from the caller's own records, which a client has.
 */
async function runCell(
  scenario: Scenario,
  row: Row,
  [name, , role]: (typeof PEOPLE)[number],
  { caller, expected }: { caller: Caller; expected: string },
): Promise<string> {
  const { testApp } = scenario.fixtures;
  const person = getPerson(scenario, name);
  const operation: Operation = operations[row.operation];
  const input = await REQUESTS[row.name]!(scenario, person);
  const knowsAllFacts = VISIBLE_CELL.test(expected) && !CONTENTS_OF_FOLDER.test(row.name);
  const isAllowed = knowsAllFacts ? await isAllowedByRecords(scenario, row.operation, { caller, accountId: person.id, role }, input) : null;
  const { result: reply, deniedRules } = await recordDenials(() => testApp.callUntyped(caller, operation, input));
  const isDenied = reply.status === 403;
  if (isDenied !== deniedRules.length > 0) return `${reply.status}, while the policy denied: ${deniedRules.join() || "nothing"}`;
  if (isAllowed === isDenied) return `${reply.status}, while the policy ${isAllowed ? "allows" : "denies"} it with facts from the caller's records`;
  return reply.status === 200 && expected.includes(":") ? `200:${await describeResponse(scenario, row.operation, reply.response)}` : String(reply.status);
}

/** A valid request about a record that the caller sees. */
const VISIBLE_CELL = /^(2|403)/;
/** Only the service knows what a folder contains. */
const CONTENTS_OF_FOLDER = /one's folder, (another's|final) file/;

/** Returns every cell that differs from the table; `stopAtFirst` returns after the first one. */
export async function findMismatches(scenario: Scenario, rows: Row[], { stopAtFirst = false } = {}): Promise<string[]> {
  const mismatches: string[] = [];
  for (const row of rows) {
    await resetScenario(scenario);
    // Each request needs its own session, since some requests end it.
    const callers = await createSessions(
      scenario.fixtures.testApp,
      PEOPLE.map(([name]) => ({ id: getPerson(scenario, name).id, name })),
    );
    for (const [column, person] of PEOPLE.entries()) {
      const expected = row.cells[column] ?? "";
      const outcome = await runCell(scenario, row, person, { caller: callers[column]!, expected });
      if (outcome === expected) continue;
      mismatches.push(`${row.name} as ${person[0]}: ${outcome} instead of ${expected}`);
      if (stopAtFirst) return mismatches;
    }
  }
  return mismatches;
}
