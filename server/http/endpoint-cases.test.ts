/** Runs the endpoint cases of every operation on every database engine. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sendsItsResponse, type Operation } from "../../contract/define-operation.ts";
import { operations, type OperationName } from "../../contract/operations/all.ts";
import { ANONYMOUS, type Caller, type Reply, type UntypedInput } from "../testing/client.ts";
import { AUDITED, NOT_AUDITED } from "../testing/endpoint-cases/audited.ts";
import { ENDPOINT_CASES } from "../testing/endpoint-cases/cases.ts";
import { ENGINES } from "../testing/engines.ts";
import { createFixtures, type Fixtures } from "../testing/fixtures.ts";
import { PASSWORD } from "../testing/people.ts";
import { expectFreshIndexes } from "../testing/search-entries.ts";
import { stateFingerprint } from "../testing/state-fingerprint.ts";
import { bearerCaller } from "../testing/test-app.ts";

const OPERATIONS = Object.entries(operations) as [OperationName, Operation][];

/** Returns the paths of all members that a request can have. */
function memberPaths(operation: Operation): string[] {
  return (["params", "query", "body"] as const).flatMap((part) => {
    let schema = operation[part] as any;
    while (schema?._zod.def.type === "optional") schema = schema._zod.def.innerType;
    return Object.keys(schema?._zod.def.shape ?? {}).map((name) => `${part}.${name}`);
  });
}

const withMember = (request: UntypedInput, path: string, value: unknown): UntypedInput => {
  const [part, name] = path.split(".") as [keyof UntypedInput, string];
  return { ...request, [part]: { ...(request[part] as object | undefined), [name]: value } };
};

/** True for values that the database engines may treat differently: numbers near limits and unusual text. */
const isEngineSensitive = (value: unknown): boolean =>
  typeof value === "number" || (typeof value === "string" && (value.includes("\0") || !value.isWellFormed() || /^-?\d+$|%00/.test(value)));

const JSON_PROBLEM = "application/problem+json; charset=utf-8";

/** The form of errors of the OAuth protocol. */
function isOAuthErrorReply({ headers, text }: Reply<unknown>): boolean {
  if (headers["content-type"] !== "application/json; charset=utf-8" || headers["cache-control"] !== "no-store") return false;
  const { error, error_description: description } = JSON.parse(text) as Record<string, unknown>;
  return typeof error === "string" && typeof description === "string" && /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/.test(description);
}

function isProblemReply(operation: Operation, statuses: number[], reply: Reply<unknown>): boolean {
  const { status, headers, text } = reply;
  if (!statuses.includes(status) || status < 400) return false;
  if (operation.oauthErrors) return isOAuthErrorReply(reply);
  if (headers["content-type"] !== JSON_PROBLEM || headers["x-content-type-options"] !== "nosniff") return false;
  const problem = JSON.parse(text) as Record<string, unknown>;
  return problem["object"] === "error" && problem["status"] === status && ["title", "detail", "request_id"].every((name) => typeof problem[name] === "string");
}

/** Asserts a problem response. Uses `expect` only to report a failure, because it takes longer than the request. */
async function expectProblem(operation: Operation, status: number | number[], send: () => Promise<Reply<unknown>>, label: string): Promise<void> {
  const reply = await send();
  if (isProblemReply(operation, [status].flat(), reply)) return;
  expect([status].flat(), `${label}: ${reply.text}`).toContain(reply.status);
  expect(reply.headers["content-type"]).toBe(JSON_PROBLEM);
  expect(reply.headers["x-content-type-options"]).toBe("nosniff");
  expect(reply.problem).toMatchObject({
    object: "error",
    status: reply.status,
    title: expect.any(String),
    detail: expect.any(String),
    request_id: expect.any(String),
  });
}

/** Compares the database state once after all requests, because a comparison takes longer than a request. */
async function expectNothingStored(fixtures: Fixtures, send: () => Promise<void>, label: string): Promise<void> {
  const before = await stateFingerprint(fixtures.testApp.database);
  await send();
  expect(await stateFingerprint(fixtures.testApp.database), `${label} stored something`).toBe(before);
}

/** True for operations that can change something: reading by POST has a rule of reading or is one of these. */
const READS_BY_POST: readonly OperationName[] = [
  "listTeams",
  "previewInvite",
  "previewPasswordReset",
  "previewMailLink",
  "previewMailConfirmation",
  "liveTicket",
  "checkWebhookUrl",
];
const canChange = ([name, { method, rule }]: [OperationName, Operation]): boolean =>
  method !== "GET" && !rule.endsWith(".read") && !READS_BY_POST.includes(name);

const newestAuditId = async ({ testApp: { database } }: Fixtures): Promise<number> =>
  (await database.read.selectFrom("audit").select("id").orderBy("id", "desc").limit(1).executeTakeFirst())?.id ?? 0;
const actionsAfter = async ({ testApp: { database } }: Fixtures, id: number): Promise<string[]> => [
  ...new Set((await database.read.selectFrom("audit").select("action").where("id", ">", id).orderBy("id").execute()).map(({ action }) => action)),
];

/**
 * Requests pages that are kept until an event says that they have changed. The test app builds each kept page anew and fails if it is another, so that this
 * fails if something has changed without an event since the last call.
 */
async function expectCurrentPages({ testApp, owner, home }: Fixtures): Promise<void> {
  for (const page of [{}, { include_deleted: true }, { around_id: home.message, limit: 20 }])
    await testApp.call(owner, operations.chatHistory, { body: { project_id: home.project, ...page } });
  for (const query of [{}, { folder_id: String(home.folder) }])
    await testApp.call(owner, operations.getFileFacets, { params: { project_id: home.project }, query });
  const { response } = await testApp.call(owner, operations.listMetadataTemplates, { params: { team_id: home.team } });
  const fieldIds = response.data.flatMap((template) => template.fields.map(({ id }) => String(id))).slice(0, 10);
  const fields = fieldIds.length === 0 ? {} : { fields: fieldIds.join(",") };
  for (const query of [{}, { folder_id: String(home.folder), ...fields }, { deep: "true", limit: "500", sort: "status" }]) {
    const { status, text } = await testApp.callUntyped(owner, operations.listFiles, { params: { project_id: home.project }, query });
    if (status !== 200) throw new Error(text);
  }
}

describe.each(ENGINES)("endpoint cases on %s", { timeout: 30_000 }, (engine) => {
  let fixtures: Fixtures;
  beforeAll(async () => void (fixtures = await createFixtures(engine)), 60_000);
  afterAll(() => fixtures.testApp.close());

  it("has a case for every operation and an invalid value for every member", () => {
    expect(Object.keys(ENDPOINT_CASES).sort()).toEqual(Object.keys(operations).sort());
    for (const [name, operation] of OPERATIONS) expect(Object.keys(ENDPOINT_CASES[name].invalid).sort(), name).toEqual(memberPaths(operation).sort());
  });

  it("records every operation that can change something, or lists it as not recorded", () => {
    const unlisted = OPERATIONS.filter(canChange).filter(([name]) => AUDITED[name] === undefined && !NOT_AUDITED.includes(name));
    expect(unlisted.map(([name]) => name)).toEqual([]);
    expect(NOT_AUDITED.filter((name) => AUDITED[name] !== undefined)).toEqual([]);
  });

  describe.each(OPERATIONS)("%s", (name, operation) => {
    const endpointCase = ENDPOINT_CASES[name];
    // The clock advances by months in these tests, so idle sessions would expire.
    beforeAll(async () => {
      const now = fixtures.testApp.clock.now();
      await fixtures.testApp.database.write((tx) => tx.updateTable("sessions").set({ created_at: now, last_seen_at: now }).execute());
    });
    const getCaller = async (): Promise<Caller> => (endpointCase.caller ? endpointCase.caller(fixtures) : fixtures.owner);
    const expectedStatus = endpointCase.status ?? (operation.response === null && !sendsItsResponse(operation) ? 204 : 200);

    if (operation.rule !== "open") {
      it("rejects callers who are not signed in and invalid tokens", async () => {
        const request = await endpointCase.valid(fixtures);
        const fake = bearerCaller("fake", `tb_pat_00000000_${"x".repeat(43)}`);
        const strangers = [ANONYMOUS, fake, bearerCaller("broken", "nonsense"), { name: "old cookie", headers: { cookie: "talkback=x" } }];
        const sendAll = async () => {
          for (const stranger of strangers)
            await expectProblem(operation, 401, () => fixtures.testApp.callUntyped(stranger, operation, request), stranger.name);
        };
        await expectNothingStored(fixtures, sendAll, "a stranger");
        expect((await fixtures.testApp.callUntyped(fake, operation, request)).headers["www-authenticate"]).toMatch(/^Bearer /);
      });
    }

    it.each(endpointCase.rejectedRequests)("rejects %s", async (label, buildRequest, status) => {
      const [caller, request] = [await getCaller(), await buildRequest(fixtures)];
      fixtures.testApp.clock.advance(16 * 60_000);
      await expectNothingStored(fixtures, () => expectProblem(operation, status, () => fixtures.testApp.callUntyped(caller, operation, request), label), label);
    });

    it("rejects invalid input for every member", async () => {
      const [caller, validRequest] = [await getCaller(), await endpointCase.valid(fixtures)];
      // 403: an invalid setup token; 409: a name that is taken.
      const status = name === "setUp" ? [400, 403] : (endpointCase.invalidStatus ?? [400, 409]);
      for (const [path, values] of Object.entries(endpointCase.invalid)) {
        // Values that cannot differ between engines run on SQLite only; PostgreSQL tests the first value of each member and the sensitive ones.
        const testedValues = engine === "sqlite" ? values : values.filter((value, index) => index === 0 || isEngineSensitive(value));
        const sendAll = async () => {
          for (const value of testedValues) {
            // Skips ahead, because the limit on failed guesses is not under test.
            fixtures.testApp.clock.advance(16 * 60_000);
            const send = () => fixtures.testApp.callUntyped(caller, operation, withMember(validRequest, path, value));
            await expectProblem(operation, status, send, `${path} = ${JSON.stringify(value)?.slice(0, 60)}`);
          }
        };
        await expectNothingStored(fixtures, sendAll, `one of ${path}`);
      }
    });

    if (operation.body && !(operation.body as any)._zod.optin) {
      it("rejects a missing body and one that is not an object", async () => {
        const [caller, validRequest] = [await getCaller(), await endpointCase.valid(fixtures)];
        const sendAll = async () => {
          for (const body of [undefined, null, [], "text", 5])
            await expectProblem(operation, 400, () => fixtures.testApp.callUntyped(caller, operation, { ...validRequest, body }), JSON.stringify(body));
        };
        await expectNothingStored(fixtures, sendAll, "a body");
      });
    }

    // The service is already set up here; sign-in.test.ts covers setup.
    if (name !== "setUp")
      it("succeeds with a valid request", async () => {
        const [caller, request] = [await getCaller(), await endpointCase.valid(fixtures)];
        const newest = await newestAuditId(fixtures);
        await expectCurrentPages(fixtures);
        const reply = await fixtures.testApp.callUntyped(caller, operation, request);
        expect(reply.status, reply.text).toBe(expectedStatus);
        expect(await actionsAfter(fixtures, newest), "recorded actions").toEqual(AUDITED[name] ?? []);
        if (expectedStatus === 200 && !sendsItsResponse(operation)) {
          expect(reply.headers["content-type"]).toBe("application/json; charset=utf-8");
          expect(reply.headers["cache-control"]).toBe("no-store");
        }
        const response = (sendsItsResponse(operation) ? undefined : reply.response) as { data?: unknown } | undefined;
        await endpointCase.assertResponse({ data: response?.data, response, input: request, fixtures, caller, reply });
        await expectCurrentPages(fixtures);
      });

    it.each(Object.entries(endpointCase.edgeCases))("%s", async (_title, check) => check(fixtures));
  });

  // Runs last, when every operation has been called.
  it("has recorded neither secrets nor the text of messages and comments", async () => {
    const { read } = fixtures.testApp.database;
    const entries = await read.selectFrom("audit").select(["detail", "target"]).execute();
    const messages = await read.selectFrom("messages").select("body").execute();
    const comments = await read.selectFrom("comments").select("body").execute();
    const texts = [...messages, ...comments].map(({ body }) => body).filter((body) => body.length >= 8);
    expect(entries.length).toBeGreaterThan(100);
    expect(texts.length).toBeGreaterThan(10);
    // Secrets of links, sessions and tokens have 43 characters, hashes 64, those of webhooks a prefix.
    const secret = new RegExp(`${PASSWORD}|whsec_|tb_pat_\\w+_|argon2|[\\w-]{43}`);
    const log = entries.map(({ detail }) => detail).join("\n");
    expect(secret.exec(log)?.[0]).toBeUndefined();
    expect(texts.filter((body) => log.includes(JSON.stringify(body).slice(1, -1)))).toEqual([]);
  });

  it("after all of them, the search indexes are as the records are", () => expectFreshIndexes(fixtures.testApp.database));
});
