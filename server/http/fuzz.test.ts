/** Hostile input against every operation: never a 5xx, and a refusal stores nothing. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Operation } from "../../contract/define.ts";
import { operations, type OperationName } from "../../contract/operations/all.ts";
import { startCast, type Cast } from "../testing/cast.ts";
import { NOBODY, type Wild } from "../testing/client.ts";
import { ENGINES } from "../testing/engines.ts";
import { extra } from "../testing/ladder/accounts.ts";
import { CASES } from "../testing/ladder/cases.ts";
import { freshSession } from "../testing/people.ts";
import { stateOf } from "../testing/state.ts";

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
const member = fc.record({ pick: fc.nat(), value: hostile, drop: fc.boolean() });
/** A right request with some members replaced or dropped, some added, or something else entirely. */
const damage = fc.record({
  members: fc.array(member, { minLength: 1, maxLength: 3 }),
  more: fc.dictionary(fc.string({ maxLength: 8 }), hostile, { maxKeys: 2 }),
  whole: fc.option(hostile, { freq: 6 }),
});
type Damage = typeof damage extends fc.Arbitrary<infer D> ? D : never;

const inPath = (value: unknown): unknown => (typeof value === "string" ? value.toWellFormed().slice(0, 100) || "0" : JSON.stringify(value) || "0");

function spoil(given: Wild, { members, more, whole }: Damage): Wild {
  const spoiled: Wild = {
    ...given,
    params: { ...given.params },
    query: { ...given.query },
    body: given.body === undefined ? undefined : { ...(given.body as object), ...more },
  };
  const places = (["params", "query", "body"] as const).flatMap((part) => Object.keys(spoiled[part] ?? {}).map((name) => [part, name] as const));
  for (const { pick, value, drop } of members) {
    const place = places[pick % Math.max(1, places.length)];
    if (!place) break;
    const [part, name] = place;
    const target = spoiled[part] as Record<string, unknown>;
    if (part !== "body") target[name] = inPath(value);
    else if (drop) delete target[name];
    else target[name] = value;
  }
  if (whole !== null && given.body !== undefined) spoiled.body = whole;
  return spoiled;
}

describe.each(ENGINES)("fuzz on %s", { timeout: 60_000 }, (engine) => {
  let cast: Cast;
  beforeAll(async () => {
    cast = await startCast(engine);
    await extra(cast);
  }, 60_000);
  afterAll(() => cast.world.close());

  it.each(Object.entries(operations) as [OperationName, Operation][])("%s", async (name, operation) => {
    const { world } = cast;
    // What an earlier operation was asked for may have ended their sessions.
    Object.assign(cast.member, { headers: (await freshSession(world, cast.member.id, "member")).headers });
    const given = await CASES[name].good(cast);
    const guessed = operation.rule === "open" || name === "changePassword";
    // A session each, since some of what is asked ends it; and an admin may have been dismissed.
    const begin = async () => {
      const person = operation.scope === "admin" ? cast.admin : cast.member;
      if (person === cast.admin)
        await world.database.write((tx) => tx.updateTable("accounts").set({ role: "admin", disabled_at: null }).where("id", "=", person.id).execute());
      const caller = operation.rule === "open" ? NOBODY : await freshSession(world, person.id, person.name);
      return { caller, before: await stateOf(world.database) };
    };
    // Refused, nothing has changed, and the next one goes on from there.
    let stand: Awaited<ReturnType<typeof begin>> | null = null;
    await fc.assert(
      fc.asyncProperty(damage, async (how) => {
        // Guesses are counted; this is not about them.
        if (guessed) world.clock.pass(16 * 60_000);
        stand ??= await begin();
        const reply = await world.wild(stand.caller, operation, spoil(given, how));
        expect(reply.status, reply.text).toBeLessThan(500);
        if (reply.status >= 400) expect(await stateOf(world.database)).toBe(stand.before);
        else stand = null;
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  });
});
