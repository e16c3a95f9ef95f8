import { expect, test } from "vitest";
import { NOTHING, type Searched } from "./search-state.ts";
import { ask, follow, isAsked, wordsOf, type SearchWords } from "./search-wish.ts";

const of = (q: string, more: Partial<Searched> = {}): Searched => ({ ...NOTHING, q, ...more });
const type = (words: SearchWords, q: string): SearchWords => ({ ...words, wish: { ...words.wish, q } });

test("an address that is slow takes no letters away", () => {
  let words = type(wordsOf(NOTHING), "bas");
  expect(isAsked(words)).toBe(false);
  words = ask(words, words.wish);
  // Drawn again before the address has followed.
  words = follow(words, NOTHING);
  expect(words.wish.q).toBe("bas");
  words = type(words, "bass dr");
  words = ask(words, words.wish);
  words = type(words, "bass drum");
  words = follow(words, of("bas"));
  expect(words.wish.q).toBe("bass drum");
  words = follow(words, of("bass dr"));
  expect(words.wish.q).toBe("bass drum");
  expect(isAsked(words)).toBe(false);
  words = follow(ask(words, words.wish), of("bass drum"));
  expect([words.wish.q, words.sent, isAsked(words)]).toEqual(["bass drum", [], true]);
});

test("a filter chosen before the address has the one before it keeps both", () => {
  let words = ask(wordsOf(of("bass")), of("bass", { by: 3 }));
  words = ask(words, { ...words.wish, has: "link" });
  expect(words.wish).toEqual(of("bass", { by: 3, has: "link" }));
  // The first navigation was overtaken and never arrives.
  words = follow(words, of("bass", { by: 3, has: "link" }));
  expect([words.wish.by, words.wish.has, words.sent]).toEqual([3, "link", []]);
});

test("going back fills the fields with what was searched for then, also where that is what was asked for before", () => {
  let words = follow(ask(wordsOf(of("kick")), of("snare")), of("snare"));
  words = follow(words, of("kick", { by: 3 }));
  expect(words.wish).toEqual(of("kick", { by: 3 }));
  words = follow(type(words, "half typ"), of("snare"));
  expect(words.wish).toEqual(of("snare"));
});

test("what the address will not tell is no other search", () => {
  const words = ask(wordsOf(NOTHING), of("bass", { from: "nonsense" }));
  expect(follow(words, of("bass")).wish.from).toBe("nonsense");
  expect(ask(words, words.wish).sent).toHaveLength(1);
});
