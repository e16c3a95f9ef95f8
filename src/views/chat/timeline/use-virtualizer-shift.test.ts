import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { insertPlaceholders, planCommit } from "./use-virtualizer-shift.ts";

const keyed = (...keys: string[]) => keys.map((key) => ({ key }));

describe("planCommit", () => {
  test("needs one commit for changes at one end, and only those at the start shift", () => {
    expect(planCommit(keyed("c", "d"), keyed("a", "b", "c", "d"))).toMatchObject({ shift: true, isComplete: true });
    expect(planCommit(keyed("a", "b", "c"), keyed("b", "c"))).toMatchObject({ shift: true, isComplete: true });
    expect(planCommit(keyed("a"), keyed("a", "b"))).toMatchObject({ shift: false, isComplete: true });
    expect(planCommit([], keyed("a"))).toMatchObject({ shift: false, isComplete: true });
    expect(planCommit(keyed("a"), keyed("x", "y"))).toMatchObject({ shift: false, isComplete: true });
  });

  test("reaches any change within two commits, and a shifting commit changes only the start", () => {
    const allRows = Array.from({ length: 40 }, (_, index) => ({ key: `${index}` }));
    const window = fc.tuple(fc.nat({ max: 40 }), fc.nat({ max: 40 })).map(([a, b]) => allRows.slice(Math.min(a, b), Math.max(a, b)));
    fc.assert(
      fc.property(window, window, (currentRows, nextRows) => {
        let current = currentRows;
        for (let commit = 0; commit < 2; commit += 1) {
          const plan = planCommit(current, nextRows);
          if (plan.shift) {
            const longer = plan.rows.length > current.length ? plan.rows : current;
            const shorter = longer === current ? plan.rows : current;
            expect(longer.slice(-shorter.length)).toEqual(shorter);
          }
          current = [...plan.rows];
          if (plan.isComplete) break;
        }
        expect(current).toEqual(nextRows);
      }),
    );
  });
});

describe("insertPlaceholders", () => {
  const createPlaceholder = (key: string) => ({ key });

  test("replaces a row that is removed between two others with a placeholder", () => {
    expect(insertPlaceholders(keyed("a", "line b", "b", "c"), keyed("a", "b", "line c", "c"), createPlaceholder)).toEqual(
      keyed("a", "placeholder:line b", "b", "line c", "c"),
    );
    expect(insertPlaceholders(keyed("a", "placeholder:x", "b"), keyed("a", "b", "c"), createPlaceholder)).toEqual(keyed("a", "placeholder:x", "b", "c"));
  });

  test("removes rows at either end, and returns the same list when no row is removed", () => {
    expect(insertPlaceholders(keyed("a", "b", "c"), keyed("b"), createPlaceholder)).toEqual(keyed("b"));
    const nextRows = keyed("0", "a", "b", "x");
    expect(insertPlaceholders(keyed("a", "b"), nextRows, createPlaceholder)).toBe(nextRows);
    expect(insertPlaceholders(keyed("a", "b"), keyed("x", "y"), createPlaceholder)).toEqual(keyed("x", "y"));
  });

  test("never changes the index of remaining rows", () => {
    const allRows = Array.from({ length: 30 }, (_, index) => ({ key: `${index}` }));
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 30, maxLength: 30 }), (isKept) => {
        const nextRows = allRows.filter((_, index) => isKept[index]);
        const first = isKept.indexOf(true);
        for (const [index, row] of insertPlaceholders(allRows, nextRows, createPlaceholder).entries())
          if (!row.key.startsWith("placeholder:")) expect(Number(row.key)).toBe(index + first);
      }),
    );
  });
});
