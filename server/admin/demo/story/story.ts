/** What a story is, as data: who does what when. `@ana` in a text mentions somebody; `@owner` is who has the demo made. */
import type { AssetName } from "../assets.ts";

export const CAST = ["ana", "ben", "mia", "leo", "sara", "jonas"] as const;
export type CastName = (typeof CAST)[number];
export type Speaker = CastName | "owner";

export interface Person {
  username: string;
  email: string;
  role: "admin" | "member" | "guest";
  about: string;
}

export const PEOPLE: Readonly<Record<CastName, Person>> = {
  ana: { username: "Ana Kovač", email: "ana@northlight.example", role: "admin", about: "Producer. Runs the room at Northlight." },
  ben: { username: "Ben Okafor", email: "ben@northlight.example", role: "admin", about: "Mixing engineer. Low end, mostly." },
  mia: { username: "Mia Lindqvist", email: "mia@northlight.example", role: "member", about: "Melodies, synths, titles." },
  leo: { username: "Leo Tan", email: "leo@northlight.example", role: "member", about: "Drums and drum programming." },
  sara: { username: "Sara Haddad", email: "sara@northlight.example", role: "member", about: "Mastering." },
  jonas: { username: "Jonas Weber", email: "jonas@paperlane.example", role: "guest", about: "A&R at Paper Lane. Listens twice a week." },
};

export interface Said {
  does: "say";
  text: string;
  /** Names it so that others can answer it, react to it, change it. */
  key?: string;
  answers?: string;
  /** Files it carries, as they stand at that moment. */
  files?: readonly AssetName[];
  voice?: boolean;
  /** "ben 🔥, mia 🎧": a few minutes later. */
  reactions?: string;
}

export type Deed =
  | Said
  /** Into its folder, or as the next version of its file. */
  | { does: "bring"; file: AssetName }
  | { does: "status"; file: AssetName; status: "In progress" | "In review" | "Changes requested" | "Approved"; note: string }
  /** On the version that is the current one then; `from` and `to` in seconds, without them about all of it. */
  | { does: "comment"; key: string; file: AssetName; text: string; from?: number; to?: number }
  | { does: "reply"; comment: string; text: string }
  | { does: "resolve"; comment: string }
  | { does: "edit"; message: string; text: string }
  | { does: "task"; key: string; file: AssetName; title: string; for: CastName | "owner"; dueInDays?: number }
  | { does: "close"; task: string };

export type Line = Deed & {
  /** Days before today. */
  day: number;
  /** Local time of day. */
  at: string;
  by: CastName;
};

export interface StoryProject {
  name: string;
  group: string | null;
  description: string;
  people: readonly CastName[];
  lines: readonly Line[];
  /** How many of the newest messages the owner has not read yet. */
  unread: number;
}

type When = [day: number, at: string, by: CastName];
export const say = (day: number, at: string, by: CastName, text: string, more: Omit<Said, "does" | "text"> = {}): Line => ({
  day,
  at,
  by,
  does: "say",
  text,
  ...more,
});
export const bring =
  (...[day, at, by]: When) =>
  (file: AssetName): Line => ({ day, at, by, does: "bring", file });
export const set =
  (...[day, at, by]: When) =>
  (file: AssetName, status: Extract<Deed, { does: "status" }>["status"], note: string): Line => ({ day, at, by, does: "status", file, status, note });
export const edit =
  (...[day, at, by]: When) =>
  (message: string, text: string): Line => ({ day, at, by, does: "edit", message, text });
export const task =
  (...[day, at, by]: When) =>
  (key: string, file: AssetName, title: string, who: CastName | "owner", dueInDays?: number): Line => ({
    day,
    at,
    by,
    does: "task",
    key,
    file,
    title,
    for: who,
    ...(dueInDays === undefined ? {} : { dueInDays }),
  });
export const close =
  (...[day, at, by]: When) =>
  (key: string): Line => ({ day, at, by, does: "close", task: key });
export const comment =
  (...[day, at, by]: When) =>
  (key: string, file: AssetName, text: string, ...[from, to]: number[]): Line => ({
    day,
    at,
    by,
    does: "comment",
    key,
    file,
    text,
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  });
export const reply =
  (...[day, at, by]: When) =>
  (to: string, text: string): Line => ({ day, at, by, does: "reply", comment: to, text });
export const resolve =
  (...[day, at, by]: When) =>
  (key: string): Line => ({ day, at, by, does: "resolve", comment: key });
