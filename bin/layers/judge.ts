/** Holds imports against the table of rooms: pure over sources. */
import { posix } from "node:path";
import { findCycles } from "./cycles.ts";
import { readModule, type Import, type Reading } from "./reading.ts";
import { KEEPERS, NETWORK_MODULES, NETWORK_ROOMS, NETWORK_WAY_OUT, OTHER_WAY_OUT, ROOMS, TEST_FILE, TESTS_MAY, WAY_OUT } from "./rooms.ts";

/** Path below the root, with slashes, to content. Files that are not code (styles, pictures) may have an empty content. */
export type Sources = ReadonlyMap<string, string>;

export interface Fault {
  path: string;
  line: number;
  message: string;
}

export interface Judgement {
  /** Modules that were read. */
  read: number;
  /** Imports between them that were held against the table. */
  arrows: number;
  faults: Fault[];
}

export const CODE = /\.[cm]?[jt]sx?$/;

interface Place {
  room: string;
  own: string;
}

/** The room of a file, or null where the table has none. */
export function roomOf(path: string): Place | null {
  for (const [room, { path: pattern }] of Object.entries(ROOMS)) {
    const match = pattern.exec(path);
    if (match) return { room, own: match.groups?.["own"] ?? "" };
  }
  return null;
}

export function judge(sources: Sources): Judgement {
  const faults: Fault[] = [];
  const graph = new Map<string, string[]>();
  let arrows = 0;
  for (const [path, code] of sources) {
    if (!CODE.test(path)) continue;
    const reading = readModule(path, code);
    const { found, faults: own } = judgeModule(path, reading, sources);
    faults.push(...own);
    graph.set(path, found);
    arrows += found.length;
  }
  for (const cycle of findCycles(graph)) {
    faults.push({
      path: cycle[0] ?? "",
      line: 1,
      message: `imports itself in a circle: ${[...cycle, cycle[0]].join(" -> ")}. Move what both ends need to a file of its own.`,
    });
  }
  return { read: graph.size, arrows, faults: faults.toSorted((one, other) => one.path.localeCompare(other.path) || one.line - other.line) };
}

function judgeModule(path: string, reading: Reading, sources: Sources): { found: string[]; faults: Fault[] } {
  const faults: Fault[] = [];
  const found: string[] = [];
  const fault = (line: number, message: string) => faults.push({ path, line, message });
  if (!roomOf(path)) fault(1, "lies in no room that the table knows. Move it, or draw its room in bin/layers/rooms.ts and docs/architecture.md.");
  if (reading.barrel) fault(1, "only passes on what other files export. Import from those files, and delete this one.");
  if (!isTool(path)) for (const { what, line } of reading.unclear) fault(line, `has ${what}, which nobody can check. Write the address out.`);
  if (!mayCallNetwork(path)) for (const { name, line } of reading.network) fault(line, `uses ${name}. ${NETWORK_WAY_OUT}`);
  for (const one of reading.imports) {
    if (one.specifier.startsWith(".") || one.specifier.startsWith("/")) {
      const target = posix.normalize(posix.join(posix.dirname(path), one.specifier)).replace(/\?.*$/, "");
      if (!sources.has(target)) {
        fault(one.line, `imports ${one.specifier}, which is no file of the project.`);
        continue;
      }
      if (CODE.test(target)) found.push(target);
      const message = faultOfArrow(path, target, one);
      if (message) fault(one.line, message);
    } else {
      const message = faultOfPackage(path, one);
      if (message) fault(one.line, message);
    }
  }
  return { found, faults };
}

const isTool = (path: string): boolean => path.startsWith("bin/") || TEST_FILE.test(path);
const mayCallNetwork = (path: string): boolean => NETWORK_ROOMS.test(path) || TEST_FILE.test(path);

function faultOfArrow(path: string, target: string, { typeOnly }: Import): string | null {
  const from = roomOf(path);
  const to = roomOf(target);
  if (!from || !to) return null;
  const say = (rule: string) => `imports ${target}: ${rule} ${WAY_OUT[to.room] ?? OTHER_WAY_OUT}`;
  if (TEST_FILE.test(target)) return say("a test is imported by nobody.");
  if (from.room === to.room) return from.own === to.own || TEST_FILE.test(path) ? null : say(`${from.room}/${from.own} must not know ${to.room}/${to.own}.`);
  const { may = [], types = [] } = ROOMS[from.room] ?? {};
  if (may.includes(to.room)) return null;
  if (TEST_FILE.test(path) && TESTS_MAY.some((tests) => tests.path.test(path) && tests.may.includes(to.room))) return null;
  if (types.includes(to.room)) return typeOnly ? null : say(`${from.room} may import only types of ${to.room} (import type).`);
  return say(`${from.room} must not know ${to.room}.`);
}

function faultOfPackage(path: string, { specifier, typeOnly }: Import): string | null {
  if (typeOnly || TEST_FILE.test(path)) return null;
  if (NETWORK_MODULES.test(specifier) && !mayCallNetwork(path)) return `imports ${specifier}. ${NETWORK_WAY_OUT}`;
  const keeper = KEEPERS.find(({ packages, rooms }) => packages.test(specifier) && !rooms.test(path));
  return keeper ? `imports ${specifier}. ${keeper.wayOut}` : null;
}
