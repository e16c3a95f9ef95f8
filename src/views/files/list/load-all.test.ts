import { expect, test } from "vitest";
import { loadAll, type ListingState } from "./load-all.ts";

const afterRender = () => Promise.resolve();

/** Creates a listing with the given number of pages. `onPage` runs after each loaded page. */
function createListing(pages: number, onPage: (state: ListingState, pagesLeft: number) => void = () => {}) {
  let pagesLeft = pages;
  const state: ListingState = {
    listKey: "1",
    selectionRevision: 0,
    isPrevious: false,
    hasMore: pages > 0,
    moreFailed: false,
    async loadMore() {
      pagesLeft -= 1;
      state.hasMore = pagesLeft > 0;
      onPage(state, pagesLeft);
    },
  };
  return { getState: () => state, pagesLeft: () => pagesLeft, state };
}

test("loading ends with all when every page is loaded", async () => {
  const { getState, pagesLeft } = createListing(20);
  expect(await loadAll(getState, afterRender)).toBe("complete");
  expect(pagesLeft()).toBe(0);
  expect(await loadAll(createListing(0).getState, afterRender)).toBe("complete");
});

test("loading stops when another folder or filter is opened", async () => {
  for (const place of ["2", null]) {
    const { getState, pagesLeft } = createListing(20, (state, remaining) => remaining === 17 && (state.listKey = place));
    expect(await loadAll(getState, afterRender)).toBe("superseded");
    expect(pagesLeft()).toBe(17);
  }
});

test("loading stops when the user selects something else, also while the last page loads", async () => {
  for (const remainingPages of [17, 0]) {
    const { getState, pagesLeft } = createListing(20, (state, remaining) => remaining === remainingPages && (state.selectionRevision += 1));
    expect(await loadAll(getState, afterRender)).toBe("superseded");
    expect(pagesLeft()).toBe(remainingPages);
  }
});

test("loading ends with part when a page fails", async () => {
  const { getState, pagesLeft } = createListing(20, (state, remaining) => remaining === 17 && (state.moreFailed = true));
  expect(await loadAll(getState, afterRender)).toBe("incomplete");
  expect(pagesLeft()).toBe(17);
});

test("loading waits while the previous listing is still shown", async () => {
  const { getState, state } = createListing(2);
  state.isPrevious = true;
  let rounds = 0;
  const outcome = await loadAll(getState, async () => {
    rounds += 1;
    if (rounds === 3) state.isPrevious = false;
  });
  expect([outcome, rounds]).toEqual(["complete", 5]);
});
