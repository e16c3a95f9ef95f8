import { expect, test } from "vitest";
import { loadAll, type Loaded } from "./load-all.ts";

const drawn = () => Promise.resolve();

/** A listing of so many pages; `onPage` says what happens when one has come. */
function listing(pages: number, onPage: (now: Loaded, left: number) => void = () => {}) {
  let left = pages;
  const now: Loaded = {
    place: "1",
    isPrevious: false,
    hasMore: pages > 0,
    moreFailed: false,
    async loadMore() {
      left -= 1;
      now.hasMore = left > 0;
      onPage(now, left);
    },
  };
  return { look: () => now, left: () => left, now };
}

test("it ends when all is there, and says so", async () => {
  const { look, left } = listing(20);
  expect(await loadAll(look, drawn, 500)).toBe("all");
  expect(left()).toBe(0);
  expect(await loadAll(listing(0).look, drawn, 500)).toBe("all");
});

test("where another folder or filter is looked at meanwhile it stops, and asks for nothing more", async () => {
  for (const place of ["2", null]) {
    const { look, left } = listing(20, (now, rest) => rest === 17 && (now.place = place));
    expect(await loadAll(look, drawn, 500)).toBe("left");
    expect(left()).toBe(17);
  }
});

test("a page that does not come makes it a part", async () => {
  const { look, left } = listing(20, (now, rest) => rest === 17 && (now.moreFailed = true));
  expect(await loadAll(look, drawn, 500)).toBe("part");
  expect(left()).toBe(17);
});

test("what was looked at before is not loaded further, nor taken for what is looked for now", async () => {
  const { look, now } = listing(2);
  now.isPrevious = true;
  let rounds = 0;
  const outcome = await loadAll(
    look,
    async () => {
      rounds += 1;
      if (rounds === 3) now.isPrevious = false;
    },
    500,
  );
  expect([outcome, rounds]).toEqual(["all", 5]);
});
