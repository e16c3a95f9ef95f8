import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findHits, namesOfKey, parseSearchTerms, spellOutSharps, tokenizeForIndex } from "./search-tokens.ts";

/** Matches like the index: all terms must occur, one possibly as a prefix. */
function matchesQuery(query: string, body: string): boolean {
  const indexed = tokenizeForIndex(body);
  const terms = parseSearchTerms(query);
  return (
    terms.length > 0 && terms.every(({ token, isPrefix }) => indexed.some((candidate) => candidate === token || (isPrefix && candidate.startsWith(token))))
  );
}
const hitTexts = (body: string, query: string): string[] => findHits(body, query).map(({ start, end }) => body.slice(start, end));

describe("search tokens", () => {
  it.each([
    ["BASS", "the bass is hot"],
    ["bas", "the bass is hot"],
    ["hot bass", "the bass is hot"],
    ["lodz", "Studio Łódź"],
    ["strasse", "Straße"],
    ["οδος", "ΟΔΟΣ"],
    ["istanbul", "İstanbul"],
    ["fine", "ﬁne"],
    ["é", "e\u0301t\u00E9"],
    ["smorrebrod", "Smørrebrød"],
    ["1:23", "at 1:23"],
    ["v4.wav", "listen: mix_v4.wav"],
    ["字", "日本語の字典"],
    ["本語", "日本語の字典"],
    ["日本語 字典", "日本語の字典"],
    ["мик", "Микс готов"],
    ["음악", "음악을 들어"],
    ["เพลง", "ฟังเพลงนี้"],
    ["v4 日本", "mix v4日本"],
    ["👍", "done 👍"],
    ["x".repeat(200), "x".repeat(200)],
  ])("%s finds: %s", (query, body) => {
    expect(matchesQuery(query, body)).toBe(true);
    expect(hitTexts(body, query)).not.toEqual([]);
  });
  it.each([
    ["bas ", "the bass is hot"],
    ["bas hot", "the bass is hot"],
    ["语本", "日本語"],
    ["12", "<@12> hello"],
    ["'\"*()-", "anything ' \" * ( ) -"],
    ["", "anything"],
  ])("%s does not find: %s", (query, body) => expect(matchesQuery(query, body)).toBe(false));

  it("highlights only the matching text", () => {
    expect(hitTexts("Bass is hot, bassline too: BÁSS", "bass")).toEqual(["Bass", "bassline", "BÁSS"]);
    expect(hitTexts("Bass is hot, bassline too", "bass hot")).toEqual(["Bass", "hot"]);
    expect(hitTexts("日本語の字典", "本語")).toEqual(["本語"]);
    expect(hitTexts("<@12> at 12", "12")).toEqual(["12"]);
    expect(findHits("<@12> at 12", "12")).toEqual([{ start: 9, end: 11 }]);
  });
  it("every text with tokens matches itself, and every match has a highlight within the text", () => {
    const text = fc.string({ unit: fc.constantFrom(..."abZß é日本の\u0301 .1_ﬁΣ👍\u0E40\u0E01".split("")), maxLength: 40 });
    fc.assert(
      fc.property(text, text, (body, query) => {
        expect(matchesQuery(body, body)).toBe(tokenizeForIndex(body).length > 0);
        if (matchesQuery(query, body)) expect(findHits(body, query)).not.toEqual([]);
        for (const { start, end } of findHits(body, query)) expect(start < end && end <= body.length).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
  it("the fast path for ASCII text yields the same tokens", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."aB1 _.-\"'<@2>".split("")), maxLength: 60 }), (body) => {
        // One non-ASCII character at the end disables the fast path.
        expect(tokenizeForIndex(body)).toEqual(tokenizeForIndex(`${body} –`));
      }),
    );
  });
  it.each(["a", "日", "e\u0301", "👍", "<@1>", "\u0301", "@", "a@", "www.", "a."])("indexes and searches 10,000 repetitions of %s within a second", (unit) => {
    const body = unit.repeat(10_000);
    const start = performance.now();
    tokenizeForIndex(body);
    findHits(body, "a 日本");
    expect(performance.now() - start).toBeLessThan(1_000);
  });
});

it.each([
  ["F# minor", ["Fsharp minor", "Fsharpm", "min"]],
  ["A minor", ["A minor", "Am", "min"]],
  ["Bb major", ["Bb major", "maj"]],
])("the names of the key %s are %j", (key, names) => expect(namesOfKey(key)).toEqual(names));

it("a sharp is spelled out after a tone only", () => expect(spellOutSharps("f#m, C♯ and #1, ab#c")).toBe("fsharpm, Csharp and #1, ab#c"));
