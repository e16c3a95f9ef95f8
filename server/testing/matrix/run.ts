/** Asks every cell of the table and tells where the service disagrees. */
import { expect } from "vitest";
import type { Caller } from "../client.ts";
import type { Operation } from "../../../contract/define.ts";
import { operations, type OperationName } from "../../../contract/operations/all.ts";
import { freshSessions } from "../people.ts";
import { PEOPLE, personOf, type PersonName, type Stage } from "./actors.ts";
import { REQUESTS, restage } from "./requests.ts";
import { REVIEW_TABLE } from "./review-table.ts";
import { TABLE } from "./table.ts";

export interface Row {
  operation: OperationName;
  /** Operation and object, as in REQUESTS. */
  name: string;
  cells: string[];
}

export const ROWS: Row[] = `${TABLE}${REVIEW_TABLE}`
  .split("\n")
  .filter((line) => line.trim() !== "")
  .map((line) => {
    const [, operation = "", object = "", cells = ""] = /^(\w+) +(.*?) {2,}(\d{3}.*)$/.exec(line) ?? [];
    return { operation: operation as OperationName, name: `${operation} ${object}`, cells: cells.split(/[ |]+/) };
  });

/** Every row has a request and a cell for each person; every request has its row. */
export function expectWholeTable(): void {
  expect(ROWS.map(({ name }) => name).sort()).toEqual(Object.keys(REQUESTS).sort());
  for (const { name, cells } of ROWS) expect(cells, name).toHaveLength(PEOPLE.length);
}

interface Shown {
  id: number;
  account?: { id: number };
  project_id?: number;
}

/** The letters of what an answer shows, in order of the alphabet of the table. */
async function shown(stage: Stage, operation: OperationName, answer: unknown): Promise<string> {
  const { cast } = stage;
  const { data } = answer as { data: Shown | Shown[] };
  const ids: number[] = Array.isArray(data) ? data.map(({ id }) => id) : [data.id];
  const places = (pick: "team" | "group" | "project" | "file") =>
    [
      ...new Set(
        (["home", "next", "apart", "foreign"] as const)
          .filter((place) => ids.includes(cast[place][pick]))
          .map((place) => (pick === "team" && place === "next" ? "home" : place)),
      ),
    ]
      .map((place) => place[0])
      .join("");
  const people = (accountIds: number[]) =>
    [...PEOPLE.map(([name, letter]) => [cast[name].id, letter] as const), [stage.target.id, "T"] as const]
      .filter(([id]) => accountIds.includes(id))
      .map(([, letter]) => letter)
      .sort()
      .join("");
  const ownersOf = async (table: "api_tokens" | "sessions") =>
    ids.length === 0
      ? []
      : (await cast.world.database.read.selectFrom(table).select("account_id").where("id", "in", ids).execute()).map((row) => row.account_id);
  switch (operation) {
    case "getProject":
    case "listProjects":
    case "projectsByGroup":
    case "projectsWithoutGroup":
      return places("project");
    case "listTasks":
      return (["home", "next", "apart", "foreign"] as const)
        .filter((place) => [data].flat().some(({ project_id }) => project_id === cast[place].project))
        .map((place) => place[0])
        .join("");
    case "findFiles":
      return places("file");
    case "listGroups":
    case "getGroup":
      return places("group");
    case "listTeams":
      return places("team");
    case "listInvites":
      return [[stage.homeInvite, "h"] as const, [stage.foreignInvite, "f"] as const]
        .filter(([id]) => ids.includes(id))
        .map(([, letter]) => letter)
        .join("");
    case "listProjectMembers":
    case "listMembers":
    case "getAccount":
    case "updateAccount":
      return people(ids);
    case "getSession":
      return people(Array.isArray(data) || !data.account ? [] : [data.account.id]);
    case "listWebhookEndpoints":
      return endpointsOf(stage, ids);
    case "listTokens":
      return people(await ownersOf("api_tokens"));
    case "listSessions":
      return people(await ownersOf("sessions"));
    default:
      return "";
  }
}

async function endpointsOf({ cast }: Stage, ids: number[]): Promise<string> {
  if (ids.length === 0) return "";
  const rows = await cast.world.database.read
    .selectFrom("webhook_endpoints")
    .innerJoin("accounts", "accounts.organisation_id", "webhook_endpoints.organisation_id")
    .select("accounts.id")
    .where("webhook_endpoints.id", "in", ids)
    .execute();
  const has = (account: number) => rows.some(({ id }) => id === account);
  return `${has(cast.owner.id) ? "h" : ""}${has(cast.foreignOwner.id) ? "f" : ""}`;
}

/** What this person gets: the status, and what the answer shows where the table says so. */
async function outcomeOf(stage: Stage, row: Row, name: PersonName, { caller, expected }: { caller: Caller; expected: string }): Promise<string> {
  const { world } = stage.cast;
  const person = personOf(stage, name);
  const operation: Operation = operations[row.operation];
  const given = await REQUESTS[row.name]!(stage, person);
  const reply = await world.wild(caller, operation, given);
  return reply.status === 200 && expected.includes(":") ? `200:${await shown(stage, row.operation, reply.answer)}` : String(reply.status);
}

/** Every cell that is not as the table says; `first` stops at one. */
export async function disagreements(stage: Stage, rows: Row[], { first = false } = {}): Promise<string[]> {
  const found: string[] = [];
  for (const row of rows) {
    await restage(stage);
    // A session for each request: some of what is asked ends it.
    const callers = await freshSessions(
      stage.cast.world,
      PEOPLE.map(([name]) => ({ id: personOf(stage, name).id, name })),
    );
    for (const [column, [name]] of PEOPLE.entries()) {
      const expected = row.cells[column] ?? "";
      const outcome = await outcomeOf(stage, row, name, { caller: callers[column]!, expected });
      if (outcome === expected) continue;
      found.push(`${row.name} as ${name}: ${outcome} instead of ${expected}`);
      if (first) return found;
    }
  }
  return found;
}
