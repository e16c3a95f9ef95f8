/** Fuzzes operations with hostile input: never a 5xx, no hang, and a rejected request stores nothing. */
import fc from "fast-check";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import { reportFaults } from "./fault-counts.ts";
import type { Operation } from "../../contract/define-operation.ts";
import { operations, type OperationName } from "../../contract/operations/all.ts";
import { ANONYMOUS, type UntypedInput } from "./client.ts";
import type { Engine } from "../db/database.ts";
import { ENDPOINT_CASES } from "./endpoint-cases/cases.ts";
import { ENGINES } from "./engines.ts";
import { createFixtures, type Fixtures } from "./fixtures.ts";
import { createSession } from "./people.ts";
import { stateFingerprint } from "./state-fingerprint.ts";

/** Requests for each operation: a few in `npm test`, 2,000 in `npm run faults`. */
const RUNS = Number(process.env["TALKBACK_HOSTILE_REQUESTS"] ?? 15);
/** Repeats the requests of an earlier run. */
const SEED = Number(process.env["TALKBACK_HOSTILE_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
/** A request that takes longer hangs. */
const HANG_MS = 20_000;
/** Some operations decode each of their requests in a process of its own. */
const OPERATION_TIMEOUT_MS = 300_000 + RUNS * 1_000;
/** Without a socket, a request whose body was not read never closes, and counts until the app does. */
const UNLIMITED = { serverLimits: { connectionsPerNetwork: Number.POSITIVE_INFINITY } };
/** PostgreSQL takes longer, and the long form finds there what differs between the engines. */
const runsOn = (engine: Engine): number => (engine === "postgres" ? Math.min(RUNS, 50) : RUNS);

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
  /** Where uploaded bytes are cut, and which one is changed. */
  cut: fc.nat(),
  flip: fc.nat(),
});
type RequestMutation = typeof requestMutation extends fc.Arbitrary<infer D> ? D : never;

/** "." and ".." as a part of a path make it another path before it is sent. */
const toPathValue = (value: unknown): string =>
  (typeof value === "string" ? value.toWellFormed().slice(0, 100) : JSON.stringify(value)).replace(/^\.{1,2}$/, "") || "0";

function mutate(request: UntypedInput, { members, more, whole, cut, flip }: RequestMutation): UntypedInput {
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
  if (request.bytes && request.bytes.length > 0) {
    mutated.bytes = Buffer.from(request.bytes.subarray(0, 1 + (cut % request.bytes.length)));
    // Mostly where a format is recognized, because decoding the rest takes a hundred times as long.
    mutated.bytes[flip % (cut % 8 === 0 ? mutated.bytes.length : Math.min(mutated.bytes.length, 12))]! ^= 0x55;
  }
  return mutated;
}

/** Defines the tests of the selected operations. */
export function fuzzOperations(isSelected: (operation: Operation) => boolean): void {
  describe.each(ENGINES)(`fuzz with seed ${SEED} on %s`, { timeout: OPERATION_TIMEOUT_MS }, (engine) => fuzzOn(engine, isSelected));
}

function fuzzOn(engine: Engine, isSelected: (operation: Operation) => boolean): void {
  let fixtures: Fixtures | null = null;
  const discardFixtures = async () => {
    await fixtures?.testApp.close();
    fixtures = null;
  };
  afterAll(discardFixtures);

  const selected = (Object.entries(operations) as [OperationName, Operation][]).filter(([, operation]) => isSelected(operation));
  it.each(selected)("%s", async (name, operation) => {
    fixtures ??= await createFixtures(engine, UNLIMITED);
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
    const counts = { broken: 0, serverErrors: 0, hangs: 0, stateChanges: 0, clearFailures: 0, unclearFailures: 0 };
    try {
      await fc.assert(
        fc.asyncProperty(requestMutation, async (mutation) => {
          // Skips ahead, because the limit on failed guesses is not under test.
          if (countsGuesses) {
            testApp.clock.advance(16 * 60_000);
            // The caller's session must not expire.
            if (operation.rule !== "open") round = null;
          }
          round ??= await startRound();
          counts.broken += 1;
          const abort = new AbortController();
          const call = testApp.callUntyped(round.caller, operation, mutate(request, mutation));
          const reply = await Promise.race([call, sleep(HANG_MS, null, { signal: abort.signal }).catch(() => null)]);
          abort.abort();
          if (!reply) {
            counts.hangs += 1;
            throw new Error(`No response within ${HANG_MS} ms`);
          }
          if (reply.status >= 500) counts.serverErrors += 1;
          expect(reply.status, reply.text).toBeLessThan(500);
          if (reply.status >= 400) {
            const isClear = /^.*json/.test(String(reply.headers["content-type"])) && reply.text !== "";
            counts[isClear ? "clearFailures" : "unclearFailures"] += 1;
            const state = await stateFingerprint(testApp.database);
            if (state !== round.before) counts.stateChanges += 1;
            expect(state).toBe(round.before);
          } else {
            // Reading leaves the caller as it was.
            round = operation.method === "GET" && operation.rule !== "open" ? { caller: round.caller, before: await stateFingerprint(testApp.database) } : null;
            hasChanges ||= operation.method !== "GET";
          }
        }),
        { numRuns: runsOn(engine), seed: SEED, endOnFailure: true },
      );
    } finally {
      reportFaults("hostile requests", engine, counts);
      // A random id may have deleted a folder or removed a member that other operations need, and after weeks their sessions are over.
      if (hasChanges || countsGuesses) await discardFixtures();
    }
  });
}
