/** The authorization matrix: every operation, every kind of person, own and foreign objects; and the proof that each rule holds it up. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RULES, type Operation, type Rule } from "../../contract/define.ts";
import { operations, type OperationName } from "../../contract/operations/all.ts";
import { POLICY, replaceLookups, replacePolicy, visibleProjects, type Lookups, type Policy } from "../domain/access.ts";
import { ENGINES } from "../testing/engines.ts";
import { CASES } from "../testing/ladder/cases.ts";
import { freshSession } from "../testing/people.ts";
import { personOf, startStage, UNWELCOME, type Stage } from "../testing/matrix/actors.ts";
import { disagreements, expectWholeTable, ROWS } from "../testing/matrix/run.ts";
import { OPEN, RULES_WITHOUT_LIMIT, UNWELCOME_GET } from "../testing/matrix/table.ts";

const OPERATIONS = Object.entries(operations) as [OperationName, Operation][];

describe.each(ENGINES)("authorization on %s", { timeout: 60_000 }, (engine) => {
  let stage: Stage;
  beforeAll(async () => void (stage = await startStage(engine)), 60_000);
  afterAll(() => stage.cast.world.close());

  it("has a row for every operation that needs a sign-in, and names every other as open", () => {
    expectWholeTable();
    expect([...new Set(ROWS.map(({ operation }) => operation)), ...Object.keys(OPEN)].sort()).toEqual(Object.keys(operations).sort());
    for (const [name, operation] of OPERATIONS) expect(operation.rule === "open", name).toBe(name in OPEN);
  });

  describe("without a sign-in that holds", () => {
    const closed = OPERATIONS.filter(([, operation]) => operation.rule !== "open");
    it.each(closed)("%s", async (name, operation) => {
      const given = await CASES[name].good(stage.cast);
      for (const who of UNWELCOME) {
        const reply = await stage.cast.world.wild(await stage.unwelcome(who, operation), operation, given);
        expect(reply.status, `${who}: ${reply.text}`).toBe(UNWELCOME_GET[who]);
      }
    });
  });

  it.each(Object.entries(OPEN))("%s answers everybody alike", async (name, status) => {
    const operation: Operation = operations[name as OperationName];
    const { cast } = stage;
    const callers = [
      ...(await Promise.all(UNWELCOME.map((who) => stage.unwelcome(who, operation)))),
      await freshSession(cast.world, personOf(stage, "member").id, "member"),
      cast.foreignOwner,
    ];
    for (const caller of callers)
      expect((await cast.world.wild(caller, operation, await CASES[name as OperationName].good(cast))).status, caller.name).toBe(status);
  });

  it.each(ROWS)("$name", async (row) => expect(await disagreements(stage, [row])).toEqual([]));
});

describe("the matrix fails", { timeout: 60_000 }, () => {
  let stage: Stage;
  beforeAll(async () => void (stage = await startStage("sqlite")), 60_000);
  afterAll(() => stage.cast.world.close());

  async function turnsRed(change: () => () => void, rows = ROWS): Promise<void> {
    const undo = change();
    try {
      expect(await disagreements(stage, rows, { first: true })).toHaveLength(1);
    } finally {
      undo();
    }
  }
  const rowsWith = (rule: Rule) => ROWS.filter(({ operation }) => operations[operation].rule === rule);
  const limited = RULES.filter((rule) => !RULES_WITHOUT_LIMIT.includes(rule));

  it("knows which rules let everybody in", () => {
    const anyone = POLICY.open;
    expect(RULES.filter((rule) => POLICY[rule] === anyone)).toEqual(RULES.filter((rule) => RULES_WITHOUT_LIMIT.includes(rule)));
  });

  it.each(limited)("without the rule %s", (rule) => turnsRed(() => replacePolicy({ [rule]: () => true }), rowsWith(rule)));
  it.each(RULES.filter((rule) => rule !== "open"))("when nobody may %s: it is asked", (rule) =>
    turnsRed(() => replacePolicy({ [rule]: () => false }), rowsWith(rule)),
  );

  const weaker: [string, Partial<Policy>][] = [
    ["an admin may touch owners", { "account.manage": ({ role }) => role === "owner" || role === "admin" }],
    ["an admin may invite owners", { "team.invite": ({ role }) => role === "owner" || role === "admin" }],
    [
      "an admin may touch owners, but not make them",
      { "account.manage": ({ role }, { newRole }) => role === "owner" || (role === "admin" && newRole !== "owner") },
    ],
    [
      "an admin may make owners, but not touch them",
      { "account.manage": ({ role }, { targetRole }) => role === "owner" || (role === "admin" && targetRole !== "owner") },
    ],
    ["one may edit what others wrote", { "message.edit": ({ role }, { own }) => own === true || role === "owner" }],
    ["only admins delete messages", { "message.delete": ({ role }) => role === "owner" || role === "admin" }],
    ["nobody may leave a project", { "project.member.remove": ({ role }) => role === "owner" || role === "admin" }],
  ];
  it.each(weaker)("when %s", (_what, policy) => turnsRed(() => replacePolicy(policy), (Object.keys(policy) as Rule[]).flatMap(rowsWith)));

  const projectsOfAll: Lookups["projects"] = (db) => db.selectFrom("projects").innerJoin("teams", "teams.id", "projects.team_id");
  const blind: [string, Partial<Lookups>][] = [
    ["all projects", { projects: projectsOfAll }],
    ["all projects of the organisation", { projects: (db, actor) => projectsOfAll(db, actor).where("teams.organisation_id", "=", actor.organisationId) }],
    ["all teams", { teams: (db) => db.selectFrom("teams") }],
    ["all teams of the organisation", { teams: (db, actor) => db.selectFrom("teams").where("teams.organisation_id", "=", actor.organisationId) }],
    ["all groups", { groups: (db) => db.selectFrom("project_groups") }],
    [
      "all groups of the organisation",
      {
        groups: (db, actor) =>
          db
            .selectFrom("project_groups")
            .where("project_groups.team_id", "in", db.selectFrom("teams").select("teams.id").where("organisation_id", "=", actor.organisationId)),
      },
    ],
    ["all webhook endpoints", { endpoints: (db) => db.selectFrom("webhook_endpoints").where("webhook_endpoints.deleted_at", "is", null) }],
    [
      "deleted webhook endpoints",
      { endpoints: (db, actor) => db.selectFrom("webhook_endpoints").where("webhook_endpoints.organisation_id", "=", actor.organisationId) },
    ],
    ["all people", { accounts: (db) => db.selectFrom("accounts") }],
    ["all people of the organisation", { accounts: (db, actor) => db.selectFrom("accounts").where("accounts.organisation_id", "=", actor.organisationId) }],
  ];
  const filesOfAll: Lookups["files"] = (db) => db.selectFrom("files").where("files.deleted_at", "is", null);
  const blindForFiles: [string, Partial<Lookups>][] = [
    ["all files", { files: filesOfAll }],
    [
      "all files of the organisation",
      {
        files: (db, actor) =>
          filesOfAll(db, actor).where(
            "files.project_id",
            "in",
            db
              .selectFrom("projects")
              .innerJoin("teams", "teams.id", "projects.team_id")
              .select("projects.id")
              .where("teams.organisation_id", "=", actor.organisationId),
          ),
      },
    ],
    ["deleted files too", { files: (db, actor) => db.selectFrom("files").where("files.project_id", "in", visibleProjects(db, actor).select("projects.id")) }],
  ];
  const aboutFiles = ROWS.filter(({ operation }) => operations[operation].group === "Files");
  it.each(blindForFiles)("when everybody sees %s", (_what, lookups) => turnsRed(() => replaceLookups(lookups), aboutFiles));
  /** One operation that needs nothing but the look-up. */
  const barely: Record<keyof Lookups, OperationName> = {
    projects: "getProject",
    teams: "listTeams",
    groups: "getGroup",
    accounts: "getAccount",
    files: "getFileInfo",
    endpoints: "getWebhookEndpoint",
  };
  it.each(blind)("when everybody sees %s", (_what, lookups) => {
    const operation = barely[Object.keys(lookups)[0] as keyof Lookups];
    return turnsRed(
      () => replaceLookups(lookups),
      ROWS.filter((row) => row.operation === operation),
    );
  });

  it("and no longer once everything is as it was", { timeout: 180_000 }, async () => {
    // The whole table is asked above; every fifth row has each rule in it.
    const some = ROWS.filter((_, index) => index % 5 === 0);
    expect(await disagreements(stage, some)).toEqual([]);
  });
});
