/** Fuzzes every operation with hostile input: never a 5xx, and a rejected request stores nothing. */
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import type { Operation } from "../../contract/define-operation.ts";
import { operations, type OperationName } from "../../contract/operations/all.ts";
import { ANONYMOUS, type UntypedInput } from "../testing/client.ts";
import { ENDPOINT_CASES } from "../testing/endpoint-cases/cases.ts";
import { ENGINES } from "../testing/engines.ts";
import { createFixtures, type Fixtures } from "../testing/fixtures.ts";
import { createSession } from "../testing/people.ts";
import { stateFingerprint } from "../testing/state-fingerprint.ts";

const RUNS = 15;

const hostileText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.constantFrom(
    "",
    "\0",
    "\ud800",
    "\udfff\ud800",
    "' or 1=1 --",
    "<script>",
    "\u202egnp.exe",
    "💥".repeat(300),
    "x".repeat(20_000),
    "__proto__",
    "%s%n",
    "../../x",
    "0x10",
    "1e3",
    "null",
  ),
);
const hostileNumber = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(0, -0, -1, 2 ** 31, 2 ** 53, -(2 ** 53), 2 ** 63, 1e308, 0.1));
const hostile: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: hostileText },
  { weight: 3, arbitrary: hostileNumber },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom(true, false, null, [], {}) },
);
const fieldMutation = fc.record({ pick: fc.nat(), value: hostile, drop: fc.boolean() });
/** A valid request with members replaced, removed or added, or with a completely different body. */
const requestMutation = fc.record({
  members: fc.array(fieldMutation, { minLength: 1, maxLength: 3 }),
  more: fc.dictionary(fc.string({ maxLength: 8 }), hostile, { maxKeys: 2 }),
  whole: fc.option(hostile, { freq: 6 }),
});
type RequestMutation = typeof requestMutation extends fc.Arbitrary<infer D> ? D : never;

const toPathValue = (value: unknown): unknown => (typeof value === "string" ? value.toWellFormed().slice(0, 100) || "0" : JSON.stringify(value) || "0");

function mutate(request: UntypedInput, { members, more, whole }: RequestMutation): UntypedInput {
  const mutated: UntypedInput = {
    ...request,
    params: { ...request.params },
    query: { ...request.query },
    body: request.body === undefined ? undefined : { ...(request.body as object), ...more },
  };
  const fields = (["params", "query", "body"] as const).flatMap((part) => Object.keys(mutated[part] ?? {}).map((name) => [part, name] as const));
  for (const { pick, value, drop } of members) {
    const field = fields[pick % Math.max(1, fields.length)];
    if (!field) break;
    const [part, name] = field;
    const target = mutated[part] as Record<string, unknown>;
    if (part !== "body") target[name] = toPathValue(value);
    else if (drop) delete target[name];
    else target[name] = value;
  }
  if (whole !== null && request.body !== undefined) mutated.body = whole;
  return mutated;
}

describe.each(ENGINES)("fuzz on %s", { timeout: 60_000 }, (engine) => {
  let fixtures: Fixtures | null = null;
  const discardFixtures = async () => {
    await fixtures?.testApp.close();
    fixtures = null;
  };
  afterAll(discardFixtures);

  it.each(Object.entries(operations) as [OperationName, Operation][])("%s", async (name, operation) => {
    fixtures ??= await createFixtures(engine);
    const { testApp, admin, member } = fixtures;
    const request = await ENDPOINT_CASES[name].valid(fixtures);
    const countsGuesses = operation.rule === "open" || name === "changePassword";
    // Creates a new session, since some operations end it, and restores the admin, whom an operation may have disabled.
    const startRound = async () => {
      const person = operation.scope === "admin" ? admin : member;
      if (person === admin)
        await testApp.database.write((tx) => tx.updateTable("accounts").set({ role: "admin", disabled_at: null }).where("id", "=", person.id).execute());
      const caller = operation.rule === "open" ? ANONYMOUS : await createSession(testApp, person.id, person.name);
      return { caller, before: await stateFingerprint(testApp.database) };
    };
    // A rejected request changes nothing, so the next one reuses the round.
    let round: Awaited<ReturnType<typeof startRound>> | null = null;
    let hasChanges = false;
    try {
      await fc.assert(
        fc.asyncProperty(requestMutation, async (mutation) => {
          // Skips ahead, because the limit on failed guesses is not under test.
          if (countsGuesses) testApp.clock.advance(16 * 60_000);
          round ??= await startRound();
          const reply = await testApp.callUntyped(round.caller, operation, mutate(request, mutation));
          expect(reply.status, reply.text).toBeLessThan(500);
          if (reply.status >= 400) expect(await stateFingerprint(testApp.database)).toBe(round.before);
          else {
            round = null;
            hasChanges ||= operation.method !== "GET";
          }
        }),
        { numRuns: RUNS, endOnFailure: true },
      );
    } finally {
      // A random id may have deleted a folder or removed a member that other operations need.
      if (hasChanges) await discardFixtures();
    }
  });
});
