/** The same ladder of cases on every operation, on every engine. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Operation } from "../../contract/define.ts";
import { operations, type OperationName } from "../../contract/operations/all.ts";
import { startCast, type Cast } from "../testing/cast.ts";
import { NOBODY, type Caller, type Reply, type Wild } from "../testing/client.ts";
import { ENGINES } from "../testing/engines.ts";
import { CASES } from "../testing/ladder/cases.ts";
import { stateOf } from "../testing/state.ts";
import { bearerOf } from "../testing/world.ts";

const TABLE = Object.entries(operations) as [OperationName, Operation][];

/** Names of the members that a request may have. */
function membersOf(operation: Operation): string[] {
  return (["params", "query", "body"] as const).flatMap((part) => {
    let schema = operation[part] as any;
    while (schema?._zod.def.type === "optional") schema = schema._zod.def.innerType;
    return Object.keys(schema?._zod.def.shape ?? {}).map((name) => `${part}.${name}`);
  });
}

const withMember = (given: Wild, path: string, value: unknown): Wild => {
  const [part, name] = path.split(".") as [keyof Wild, string];
  return { ...given, [part]: { ...(given[part] as object | undefined), [name]: value } };
};

/** What a database may take otherwise than the other one does: how large a number may be, and what a text may hold. */
const mayMeetTheDatabase = (value: unknown): boolean =>
  typeof value === "number" || (typeof value === "string" && (value.includes("\0") || !value.isWellFormed() || /^-?\d+$|%00/.test(value)));

const JSON_PROBLEM = "application/problem+json; charset=utf-8";

function isRefusal(statuses: number[], { status, headers, text }: Reply<unknown>): boolean {
  if (!statuses.includes(status) || status < 400) return false;
  if (headers["content-type"] !== JSON_PROBLEM || headers["x-content-type-options"] !== "nosniff") return false;
  const problem = JSON.parse(text) as Record<string, unknown>;
  return problem["object"] === "error" && problem["status"] === status && ["title", "detail", "request_id"].every((name) => typeof problem[name] === "string");
}

/** A refusal as the contract promises it; what is none is told by `expect`, which takes longer than to ask. */
async function expectRefusal(status: number | number[], ask: () => Promise<Reply<unknown>>, what: string): Promise<void> {
  const reply = await ask();
  if (isRefusal([status].flat(), reply)) return;
  expect([status].flat(), `${what}: ${reply.text}`).toContain(reply.status);
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

/** Looks once, after everything that was asked: looking takes longer than asking. */
async function expectNothingStored(cast: Cast, ask: () => Promise<void>, what: string): Promise<void> {
  const before = await stateOf(cast.world.database);
  await ask();
  expect(await stateOf(cast.world.database), `${what} stored something`).toBe(before);
}

describe.each(ENGINES)("API ladder on %s", { timeout: 30_000 }, (engine) => {
  let cast: Cast;
  beforeAll(async () => void (cast = await startCast(engine)), 60_000);
  afterAll(() => cast.world.close());

  it("has a case for every operation, and a wrong value for every member", () => {
    expect(Object.keys(CASES).sort()).toEqual(Object.keys(operations).sort());
    for (const [name, operation] of TABLE) expect(Object.keys(CASES[name].bad).sort(), name).toEqual(membersOf(operation).sort());
  });

  describe.each(TABLE)("%s", (name, operation) => {
    const one = CASES[name];
    // The clock runs for months here, and who is not asked for weeks would be signed out.
    beforeAll(async () => {
      const now = cast.world.clock.now();
      await cast.world.database.write((tx) => tx.updateTable("sessions").set({ created_at: now, last_seen_at: now }).execute());
    });
    const caller = async (): Promise<Caller> => (one.as ? one.as(cast) : cast.owner);
    const answers = one.status ?? (operation.answer === null && operation.bytes !== "answer" ? 204 : 200);

    if (operation.rule !== "open") {
      it("refuses who is not signed in, and a token that is none", async () => {
        const given = await one.good(cast);
        const fake = bearerOf("fake", `tb_pat_00000000_${"x".repeat(43)}`);
        const strangers = [NOBODY, fake, bearerOf("broken", "nonsense"), { name: "old cookie", headers: { cookie: "talkback=x" } }];
        const askAll = async () => {
          for (const stranger of strangers) await expectRefusal(401, () => cast.world.wild(stranger, operation, given), stranger.name);
        };
        await expectNothingStored(cast, askAll, "a stranger");
        expect((await cast.world.wild(fake, operation, given)).headers["www-authenticate"]).toMatch(/^Bearer /);
      });
    }

    it.each(one.foreign)("foreign: %s", async (what, given, status) => {
      const [who, request] = [await caller(), await given(cast)];
      cast.world.clock.pass(16 * 60_000);
      await expectNothingStored(cast, () => expectRefusal(status, () => cast.world.wild(who, operation, request), what), what);
    });

    it("refuses wrong input, member by member", async () => {
      const [who, good] = [await caller(), await one.good(cast)];
      // 403: a wrong set-up link; 409: a name that is taken.
      const status = name === "setUp" ? [400, 403] : (one.badStatus ?? [400, 409]);
      for (const [path, values] of Object.entries(one.bad)) {
        // What neither engine could take otherwise is asked of one; of the rest one value of each member shows the refusal.
        const tried = engine === "sqlite" ? values : values.filter((value, index) => index === 0 || mayMeetTheDatabase(value));
        const askAll = async () => {
          for (const value of tried) {
            // Guesses are counted; this is not about them.
            cast.world.clock.pass(16 * 60_000);
            const ask = () => cast.world.wild(who, operation, withMember(good, path, value));
            await expectRefusal(status, ask, `${path} = ${JSON.stringify(value)?.slice(0, 60)}`);
          }
        };
        await expectNothingStored(cast, askAll, `one of ${path}`);
      }
    });

    if (operation.body && !(operation.body as any)._zod.optin) {
      it("refuses a body that is none", async () => {
        const [who, good] = [await caller(), await one.good(cast)];
        const askAll = async () => {
          for (const body of [undefined, null, [], "text", 5])
            await expectRefusal(400, () => cast.world.wild(who, operation, { ...good, body }), JSON.stringify(body));
        };
        await expectNothingStored(cast, askAll, "a body");
      });
    }

    // The house is taken: setting up stands in first-run.test.ts.
    if (name !== "setUp")
      it("does what it is for", async () => {
        const [who, given] = [await caller(), await one.good(cast)];
        const reply = await cast.world.wild(who, operation, given);
        expect(reply.status, reply.text).toBe(answers);
        if (answers === 200 && operation.bytes !== "answer") {
          expect(reply.headers["content-type"]).toBe("application/json; charset=utf-8");
          expect(reply.headers["cache-control"]).toBe("no-store");
        }
        const answer = (operation.bytes === "answer" ? undefined : reply.answer) as { data?: unknown } | undefined;
        await one.happy({ data: answer?.data, answer, given, cast, caller: who, reply });
      });

    it.each(Object.entries(one.edge))("%s", async (_what, check) => check(cast));
  });
});
