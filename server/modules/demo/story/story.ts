/** Data model of the story: who does what and when. `@ana` in a text mentions that person, `@owner` the owner who requested the demo. */
import type { AssetName } from "../assets.ts";
import type { ReleaseValues } from "./release.ts";

export const PERSON_NAMES = ["ana", "ben", "mia", "leo", "sara", "jonas"] as const;
export type PersonName = (typeof PERSON_NAMES)[number];
export type UserKey = PersonName | "owner";

export interface Person {
  username: string;
  email: string;
  role: "admin" | "member" | "guest";
  bio: string;
  /** IANA time zone. */
  timeZone: string;
}

export const PEOPLE: Readonly<Record<PersonName, Person>> = {
  ana: { username: "Ana Kovač", email: "ana@northlight.example", role: "admin", bio: "Producer. Runs the room at Northlight.", timeZone: "Europe/Zagreb" },
  ben: { username: "Ben Okafor", email: "ben@northlight.example", role: "admin", bio: "Mixing engineer. Low end, mostly.", timeZone: "Europe/London" },
  mia: { username: "Mia Lindqvist", email: "mia@northlight.example", role: "member", bio: "Melodies, synths, titles.", timeZone: "Europe/Stockholm" },
  leo: { username: "Leo Tan", email: "leo@northlight.example", role: "member", bio: "Drums and drum programming.", timeZone: "Asia/Singapore" },
  sara: { username: "Sara Haddad", email: "sara@northlight.example", role: "member", bio: "Mastering.", timeZone: "America/Toronto" },
  jonas: {
    username: "Jonas Weber",
    email: "jonas@paperlane.example",
    role: "guest",
    bio: "A&R at Paper Lane. Listens twice a week.",
    timeZone: "Europe/Berlin",
  },
};

export interface PostStep {
  type: "post";
  text: string;
  /** Key by which replies, reactions and edits refer to this message. */
  key?: string;
  replyTo?: string;
  /** Attached files, in the version current at that time. */
  files?: readonly AssetName[];
  /** Key of the playlist that the message shows. */
  playlist?: string;
  voice?: boolean;
  /** Reactions such as "ben 🔥, mia 🎧", added a few minutes later. */
  reactions?: string;
}

export type Step =
  | PostStep
  /** Uploads into the asset's folder, or as the next version of its file. */
  | { type: "upload"; file: AssetName }
  | { type: "status"; file: AssetName; status: "In progress" | "In review" | "Changes requested" | "Approved"; note: string }
  /** Comments on the current version. `from` and `to` are in seconds. Without them the comment applies to the whole file. */
  | { type: "comment"; key: string; file: AssetName; text: string; from?: number; to?: number }
  | { type: "reply"; comment: string; text: string }
  | { type: "resolve"; comment: string }
  | { type: "edit"; message: string; text: string }
  | { type: "task"; key: string; file: AssetName; title: string; for: PersonName | "owner"; dueInDays?: number }
  | { type: "closeTask"; task: string }
  | { type: "playlist"; key: string; name: string; files: readonly AssetName[]; gapSeconds: number };

export type TimedStep = Step & {
  /** Days before today. */
  day: number;
  /** Local time of day. */
  at: string;
  by: PersonName;
};

export interface StoryProject {
  name: string;
  group: string | null;
  description: string;
  people: readonly PersonName[];
  steps: readonly TimedStep[];
  /** How many of the newest messages the owner has not read yet. */
  unread: number;
  /** What the owner has starred, oldest first. */
  favorites?: readonly ("project" | AssetName)[];
  /** Values of files that the project has at the end. */
  metadata?: readonly ReleaseValues[];
}

type StepTiming = [day: number, at: string, by: PersonName];
export const post = (day: number, at: string, by: PersonName, text: string, options: Omit<PostStep, "type" | "text"> = {}): TimedStep => ({
  day,
  at,
  by,
  type: "post",
  text,
  ...options,
});
export const upload =
  (...[day, at, by]: StepTiming) =>
  (file: AssetName): TimedStep => ({ day, at, by, type: "upload", file });
export const setStatus =
  (...[day, at, by]: StepTiming) =>
  (file: AssetName, status: Extract<Step, { type: "status" }>["status"], note: string): TimedStep => ({ day, at, by, type: "status", file, status, note });
export const edit =
  (...[day, at, by]: StepTiming) =>
  (message: string, text: string): TimedStep => ({ day, at, by, type: "edit", message, text });
export const task =
  (...[day, at, by]: StepTiming) =>
  (key: string, file: AssetName, title: string, assignee: PersonName | "owner", dueInDays?: number): TimedStep => ({
    day,
    at,
    by,
    type: "task",
    key,
    file,
    title,
    for: assignee,
    ...(dueInDays === undefined ? {} : { dueInDays }),
  });
export const closeTask =
  (...[day, at, by]: StepTiming) =>
  (key: string): TimedStep => ({ day, at, by, type: "closeTask", task: key });
export const playlist =
  (...[day, at, by]: StepTiming) =>
  (key: string, name: string, gapSeconds: number, ...files: AssetName[]): TimedStep => ({ day, at, by, type: "playlist", key, name, files, gapSeconds });
export const comment =
  (...[day, at, by]: StepTiming) =>
  (key: string, file: AssetName, text: string, ...[from, to]: number[]): TimedStep => ({
    day,
    at,
    by,
    type: "comment",
    key,
    file,
    text,
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  });
export const reply =
  (...[day, at, by]: StepTiming) =>
  (to: string, text: string): TimedStep => ({ day, at, by, type: "reply", comment: to, text });
export const resolve =
  (...[day, at, by]: StepTiming) =>
  (key: string): TimedStep => ({ day, at, by, type: "resolve", comment: key });
