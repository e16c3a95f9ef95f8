import { expect, it } from "vitest";
import { parseArguments } from "./arguments.ts";

const KNOWN = ["history", "send", "memory"];

it("takes names in the given order, each once", () =>
  expect(parseArguments(["send", "history", "send"], KNOWN)).toEqual({ names: ["send", "history"], shows: "results", keep: false, quick: false }));

it("runs everything without names", () => expect(parseArguments([], KNOWN).names).toEqual([]));

it("takes options before and after names", () => {
  expect(parseArguments(["--keep", "send", "--quick"], KNOWN)).toEqual({ names: ["send"], shows: "results", keep: true, quick: true });
  expect(parseArguments(["--list"], KNOWN).shows).toBe("list");
  expect(parseArguments(["--markdown"], KNOWN).shows).toBe("markdown");
});

it("lists the benchmarks for an unknown name", () =>
  expect(() => parseArguments(["histroy"], KNOWN)).toThrow('There is no benchmark "histroy". Benchmarks: history, send, memory.'));

it("lists the options for an unknown one", () => expect(() => parseArguments(["--fast"], KNOWN)).toThrow("Unknown option --fast. Options: --list"));
